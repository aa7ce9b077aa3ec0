"""Person words and professions against the labour market: who does a job, and who the model thinks does it."""

import streamlit as st

from core.measures.lpbs.professions import words
from core.measures.lpbs.professions.spec import ProfessionSpec
from core.measures.lpbs.professions.tables import group_columns, group_table, profession_columns, profession_table
from core.report.alternatives import described
from pages.professions import cards as profession_cards
from pages.professions import views as profession_views
from pages.professions.controls import profession_spec
from pages.shared import links, panels, saved, tables
from pages.shared.details import DETAILS
from pages.shared.frame import open_page
from pages.shared.markdown import literal

open_page(
    "Professions",
    "Does the model’s idea of who does a job follow who does it?",
    inputs=ProfessionSpec.inputs(),
    views=(*profession_views.VIEWS, DETAILS),
)
spec, result = saved.shown(ProfessionSpec, profession_spec)

for series in result.series:
    prefix = f"{profession_views.series_name(result, series)}: " if len(result.series) > 1 else ""
    panels.show_finding(result, words.finding(result, series), profession_views.hues(result), prefix)
warnings = [corpus.note for corpus in spec.corpora if corpus.note]
for note in warnings:
    st.info(literal(note), icon=":material/info:")
panels.show_notes(note for note in result.notes if note.text not in warnings)

with st.container(key="result"):
    left, right = st.columns([2.5, 1], gap="medium")
details = profession_cards.choose(right, result)
with left:
    view = profession_views.choose(result)
    figure = profession_views.draw(result, view)
    if figure is not None:
        alt = described(view.what(result), *(words.finding(result, series) for series in view.series))
        panels.show_chart(figure, f"professions {view.name}", alt, details)
with right:
    if details is not None:
        model, language, profession = details.chosen
        profession_cards.show(result, (model, language, profession))
    if figure is not None:
        panels.export_panel(
            f"professions-{view.name}", result, figure=figure, title=view.what(result), table=view.table(result)
        )

st.subheader("Where model and world disagree most", anchor=False)
for series in result.series:
    sentences = words.disagreements(result, series)
    if len(result.series) > 1:
        st.caption(literal(profession_views.series_name(result, series)))
    st.text("\n".join(sentences) or "There is no line to compare the professions with.")

st.subheader("The groups of professions", anchor=False)
groups = group_table(result)
tables.show(groups, group_columns(result))
panels.export_panel("professions-groups", result, table=groups)
st.subheader("The professions", anchor=False)
professions = profession_table(result)
tables.show(professions, profession_columns(result))
panels.export_panel("professions-table", result, table=professions)
panels.show_left_out(result.excluded)
merged = result["professions"].dropna(subset="share_note").drop_duplicates("profession")
if len(merged):
    with st.expander("Where a name merges or approximates a row of the statistic"):
        st.text("\n".join(f"{row.profession}: {row.share_note}" for row in merged.itertuples()))
panels.show_sources(result)
panels.explain_method("lpbs/professions")
links.close()
