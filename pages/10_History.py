"""Every finished run: found, reopened, compared, taken elsewhere."""

import streamlit as st

from core.errors import HistoryError, TiltmeterError
from core.history.history import Query, history
from core.history.settings import SETTING
from core.report.numbers import counted
from pages.history import bringing, chosen, listing, saying
from pages.shared import links
from pages.shared.frame import open_page
from pages.shared.jobs import refuse
from pages.shared.markdown import literal
from pages.shared.shelved import AGAINST

open_page(
    "History",
    "Every finished run, kept: find it, open it again without computing, compare two.",
    listing.INPUTS,
    (listing.CHOSEN, AGAINST),
)
kept = None
try:
    kept = history()
    if kept is None:
        links.settle()
        st.info(f"The history is off: {SETTING} says so. Finished runs are kept once it is unset.")
        links.close()
        st.stop()
    saying.said()
    asked = listing.query()
    some = listing.found(kept, asked)
    links.take(listing.CHOSEN, links.value_of(listing.CHOSEN))  # also those that the list does not show
except TiltmeterError as error:
    if isinstance(error, HistoryError) and kept is not None and kept.problem():
        st.warning(literal(str(error)), icon=":material/healing:")
        st.button("Go on")
        st.stop()
    refuse(error)
if problem := kept.problem():
    st.warning(literal(problem), icon=":material/healing:")
    if st.button("Find kept results again"):
        try:
            saying.say(f"{counted(kept.found_again(), 'run')} found again.")
        except HistoryError as error:
            st.error(literal(str(error)), icon=":material/error:")
        else:
            st.rerun()
links.settle()
if not some.total:
    anything = kept.find(Query(), most=1).total
    st.info("No run fits; change what narrows the list." if anything else "No run is kept yet: measure something.")
else:
    shown = f"; the latest {len(some.entries)} on this page" if len(some.entries) < some.total else ""
    st.caption(f"{counted(some.total, 'run')}{shown}.")
    listing.show(some)
    if not links.value_of(listing.CHOSEN):
        st.caption("Choose a run to name it, add a note or delete it; choose two of one measure to compare them.")
chosen.show(kept, chosen.entries(kept))
with st.expander("Import"):
    bringing.bring(kept)
st.caption(literal(f"Kept in {kept.place}. Whoever can open this dashboard sees every run, name and note here."))
links.close()
