"""Guided lessons: a question, an answer of one's own, and what the model says."""

from core.lessons import lessons
from pages.lessons import taking
from pages.shared import links
from pages.shared.frame import open_page

open_page(
    "Lessons",
    "Three short lessons, on a model that comes with the program: answer first, then see what is measured.",
    views=(taking.LESSON, taking.STEP),
)
lesson = next((item for item in lessons() if item.id == links.value_of(taking.LESSON)), None)
if lesson is None:
    links.settle()
    taking.overview()
else:
    number = min(links.value_of(taking.STEP), len(lesson.steps))
    links.take(taking.LESSON, lesson.id)
    links.take(taking.STEP, number)
    links.rest()
    taking.take(lesson, number)
links.close()
