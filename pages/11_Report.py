"""What was pinned, in order, with words of one's own → one page, PDF, text, notebook, or a bundle to verify."""

import streamlit as st

from core.errors import TiltmeterError
from core.publication.store import reports
from pages.report import editing, exports
from pages.shared import links, pinning
from pages.shared.frame import open_page
from pages.shared.markdown import literal

open_page("Report", "From what you pinned to something you can publish.", views=(pinning.REPORT,))
asked = links.value_of(pinning.REPORT) or pinning.current()
links.settle()
if not asked:
    editing.say_empty()
    editing.list_others()
    links.close()
    st.stop()
links.take(pinning.REPORT, asked)
try:
    kept = reports()
    report = kept.get(asked)
except TiltmeterError as error:
    st.error(literal(str(error)), icon=":material/link_off:")
    editing.list_others()
    links.close()
    st.stop()
pinning.choose(report.id)
links.close()
editing.edit(kept, report)
exports.export(kept, report)
editing.leave(kept, report)
editing.list_others(report)
