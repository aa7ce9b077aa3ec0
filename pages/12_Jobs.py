"""What this server measures: what runs, waits, is finished or failed, over all sessions."""

from pages.jobs import listing, looked_at, runs
from pages.shared import links
from pages.shared.frame import open_page

open_page("Jobs", "What this server measures now, what waits, and what became of it.", views=(runs.RUN,))
id = links.value_of(runs.RUN)
if id:
    links.take(runs.RUN, id)
    links.rest()
    looked_at.show(id)
else:
    links.settle()
    listing.show()
links.close()
