"""The works that texts refer to, each by the name it has within a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """A paper or book: where it appeared is its ``proceedings``, its ``journal``, or arXiv alone.

    ``authors`` are last names with initials; ``others`` stands for those that are not named.
    """

    authors: tuple[str, ...]
    year: int
    title: str
    proceedings: str = ""
    journal: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    arxiv: str = ""

    @property
    def reference(self) -> str:
        """The line of a list of references."""
        *before, last = self.authors
        if last == "others":
            authors = f"{', '.join(before)} et al."
        else:
            authors = " and ".join(filter(None, (", ".join(before), last)))
        number = f"({self.number})" if self.number else ""
        place = ", ".join(filter(None, (self.proceedings or self.journal, f"{self.volume}{number}", self.pages)))
        title = self.title if self.title.endswith(("?", "!")) else f"{self.title}."
        return " ".join(
            filter(
                None,
                (
                    f"{authors} ({self.year}).",
                    title,
                    f"{place}." if place else "",
                    f"arXiv:{self.arxiv}." if self.arxiv else "",
                ),
            )
        )


WORKS = {
    "Bartl et al. 2020": Work(
        (
            "Bartl, M.",
            "Nissim, M.",
            "Gatt, A.",
        ),
        2020,
        "Unmasking Contextual Stereotypes: Measuring and Mitigating BERT's Gender Bias",
        proceedings="Proceedings of the Second Workshop on Gender Bias in Natural Language Processing",
    ),
    "Basta et al. 2019": Work(
        (
            "Basta, C.",
            "Costa-jussà, M. R.",
            "Casas, N.",
        ),
        2019,
        "Evaluating the Underlying Gender Bias in Contextualized Word Embeddings",
        proceedings="Proceedings of the First Workshop on Gender Bias in Natural Language Processing",
    ),
    "Belrose et al. 2023": Work(
        (
            "Belrose, N.",
            "Schneider-Joseph, D.",
            "Ravfogel, S.",
            "Cotterell, R.",
            "Raff, E.",
            "Biderman, S.",
        ),
        2023,
        "LEACE: Perfect linear concept erasure in closed form",
        proceedings="Advances in Neural Information Processing Systems 36",
    ),
    "Benjamini and Hochberg 1995": Work(
        (
            "Benjamini, Y.",
            "Hochberg, Y.",
        ),
        1995,
        "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing",
        journal="Journal of the Royal Statistical Society, Series B",
        volume="57",
        number="1",
        pages="289–300",
    ),
    "Blodgett et al. 2021": Work(
        (
            "Blodgett, S. L.",
            "Lopez, G.",
            "Olteanu, A.",
            "Sim, R.",
            "Wallach, H.",
        ),
        2021,
        "Stereotyping Norwegian Salmon: An Inventory of Pitfalls in Fairness Benchmark Datasets",
        proceedings="Proceedings of ACL-IJCNLP 2021",
    ),
    "Bolukbasi et al. 2016": Work(
        (
            "Bolukbasi, T.",
            "Chang, K.-W.",
            "Zou, J.",
            "Saligrama, V.",
            "Kalai, A.",
        ),
        2016,
        "Man is to Computer Programmer as Woman is to Homemaker? Debiasing Word Embeddings",
        proceedings="Advances in Neural Information Processing Systems 29",
    ),
    "Caliskan et al. 2017": Work(
        (
            "Caliskan, A.",
            "Bryson, J. J.",
            "Narayanan, A.",
        ),
        2017,
        "Semantics derived automatically from language corpora contain human-like biases",
        journal="Science",
        volume="356",
        number="6334",
        pages="183–186",
    ),
    "de Vassimon Manela et al. 2021": Work(
        (
            "de Vassimon Manela, D.",
            "Errington, D.",
            "Fisher, T.",
            "van Breugel, B.",
            "Minervini, P.",
        ),
        2021,
        "Stereotype and Skew: Quantifying Gender Bias in Pre-trained and Fine-tuned Language Models",
        proceedings="Proceedings of EACL 2021",
    ),
    "De-Arteaga et al. 2019": Work(
        (
            "De-Arteaga, M.",
            "Romanov, A.",
            "Wallach, H.",
            "Chayes, J.",
            "Borgs, C.",
            "Chouldechova, A.",
            "Geyik, S.",
            "Kenthapadi, K.",
            "Kalai, A. T.",
        ),
        2019,
        "Bias in Bios: A Case Study of Semantic Representation Bias in a High-Stakes Setting",
        arxiv="1901.09451",
        proceedings="Proceedings of FAT* 2019",
    ),
    "Delobelle et al. 2022": Work(
        (
            "Delobelle, P.",
            "Tokpo, E. K.",
            "Calders, T.",
            "Berendt, B.",
        ),
        2022,
        "Measuring Fairness with Biased Rulers",
        proceedings="Proceedings of NAACL-HLT 2022",
    ),
    "Guo & Caliskan 2021": Work(
        (
            "Guo, W.",
            "Caliskan, A.",
        ),
        2021,
        "Detecting Emergent Intersectional Biases: Contextualized Word Embeddings Contain a Distribution of Human-like "
        "Biases",
        proceedings="Proceedings of AIES 2021",
    ),
    "Guo et al. 2017": Work(
        (
            "Guo, C.",
            "Pleiss, G.",
            "Sun, Y.",
            "Weinberger, K. Q.",
        ),
        2017,
        "On Calibration of Modern Neural Networks",
        proceedings="Proceedings of ICML 2017",
    ),
    "Hall Maudslay et al. 2019": Work(
        (
            "Hall Maudslay, R.",
            "Gonen, H.",
            "Cotterell, R.",
            "Teufel, S.",
        ),
        2019,
        "It's All in the Name: Mitigating Gender Bias with Name-Based Counterfactual Data Substitution",
        proceedings="Proceedings of EMNLP-IJCNLP 2019",
    ),
    "Hu et al. 2022": Work(
        (
            "Hu, E. J.",
            "others",
        ),
        2022,
        "LoRA: Low-Rank Adaptation of Large Language Models",
        proceedings="International Conference on Learning Representations",
    ),
    "Kaneko & Bollegala 2022": Work(
        (
            "Kaneko, M.",
            "Bollegala, D.",
        ),
        2022,
        "Unmasking the Mask – Evaluating Social Biases in Masked Language Models",
        proceedings="Proceedings of AAAI 2022",
    ),
    "Kauf & Ivanova 2023": Work(
        (
            "Kauf, C.",
            "Ivanova, A.",
        ),
        2023,
        "A Better Way to Do Masked Language Model Scoring",
        proceedings="Proceedings of ACL 2023 (Volume 2: Short Papers)",
    ),
    "Kendall & Babington Smith 1939": Work(
        (
            "Kendall, M. G.",
            "Babington Smith, B.",
        ),
        1939,
        "The Problem of m Rankings",
        journal="The Annals of Mathematical Statistics",
        volume="10",
        number="3",
        pages="275–287",
    ),
    "Kurita et al. 2019": Work(
        (
            "Kurita, K.",
            "Vyas, N.",
            "Pareek, A.",
            "Black, A. W.",
            "Tsvetkov, Y.",
        ),
        2019,
        "Measuring Bias in Contextualized Word Representations",
        arxiv="1906.07337",
        proceedings="Proceedings of the First Workshop on Gender Bias in Natural Language Processing",
    ),
    "Li et al. 2021": Work(
        (
            "Li, B.",
            "Peng, H.",
            "Sainju, R.",
            "Yang, J.",
            "Yang, L.",
            "Liang, Y.",
            "Jiang, W.",
            "Wang, B.",
            "Liu, H.",
            "Ding, C.",
        ),
        2021,
        "Detecting Gender Bias in Transformer-based Models: A Case Study on BERT",
        arxiv="2110.15733",
    ),
    "May et al. 2019": Work(
        (
            "May, C.",
            "Wang, A.",
            "Bordia, S.",
            "Bowman, S. R.",
            "Rudinger, R.",
        ),
        2019,
        "On Measuring Social Biases in Sentence Encoders",
        proceedings="Proceedings of NAACL-HLT 2019",
    ),
    "Nadeem et al. 2021": Work(
        (
            "Nadeem, M.",
            "Bethke, A.",
            "Reddy, S.",
        ),
        2021,
        "StereoSet: Measuring stereotypical bias in pretrained language models",
        proceedings="Proceedings of ACL-IJCNLP 2021",
    ),
    "Nangia et al. 2020": Work(
        (
            "Nangia, N.",
            "Vania, C.",
            "Bhalerao, R.",
            "Bowman, S. R.",
        ),
        2020,
        "CrowS-Pairs: A Challenge Dataset for Measuring Social Biases in Masked Language Models",
        proceedings="Proceedings of EMNLP 2020",
    ),
    "Nozza et al. 2021": Work(
        (
            "Nozza, D.",
            "Bianchi, F.",
            "Hovy, D.",
        ),
        2021,
        "HONEST: Measuring Hurtful Sentence Completion in Language Models",
        proceedings="Proceedings of NAACL-HLT 2021",
    ),
    "Rudinger et al. 2018": Work(
        (
            "Rudinger, R.",
            "Naradowsky, J.",
            "Leonard, B.",
            "Van Durme, B.",
        ),
        2018,
        "Gender Bias in Coreference Resolution",
        proceedings="Proceedings of NAACL-HLT 2018",
    ),
    "Salazar et al. 2020": Work(
        (
            "Salazar, J.",
            "Liang, D.",
            "Nguyen, T. Q.",
            "Kirchhoff, K.",
        ),
        2020,
        "Masked Language Model Scoring",
        proceedings="Proceedings of ACL 2020",
    ),
    "Smith et al. 2022": Work(
        (
            "Smith, E. M.",
            "Hall, M.",
            "Kambadur, M.",
            "Presani, E.",
            "Williams, A.",
        ),
        2022,
        "“I’m sorry to hear that”: Finding New Biases in Language Models with a Holistic Descriptor Dataset",
        proceedings="Proceedings of EMNLP 2022",
        pages="9180–9211",
    ),
    "Vig et al. 2020": Work(
        (
            "Vig, J.",
            "Gehrmann, S.",
            "Belinkov, Y.",
            "Qian, S.",
            "Nevo, D.",
            "Singer, Y.",
            "Shieber, S.",
        ),
        2020,
        "Investigating Gender Bias in Language Models Using Causal Mediation Analysis",
        proceedings="Advances in Neural Information Processing Systems 33",
    ),
    "Vulić et al. 2020": Work(
        (
            "Vulić, I.",
            "Ponti, E. M.",
            "Litschko, R.",
            "Glavaš, G.",
            "Korhonen, A.",
        ),
        2020,
        "Probing Pretrained Language Models for Lexical Semantics",
        proceedings="Proceedings of EMNLP 2020",
    ),
    "Webster et al. 2018": Work(
        (
            "Webster, K.",
            "Recasens, M.",
            "Axelrod, V.",
            "Baldridge, J.",
        ),
        2018,
        "Mind the GAP: A Balanced Corpus of Gendered Ambiguous Pronouns",
        journal="Transactions of the Association for Computational Linguistics",
        volume="6",
        pages="605–617",
    ),
    "Webster et al. 2020": Work(
        (
            "Webster, K.",
            "Wang, X.",
            "Tenney, I.",
            "Beutel, A.",
            "Pitler, E.",
            "Pavlick, E.",
            "Chen, J.",
            "Chi, E.",
            "Petrov, S.",
        ),
        2020,
        "Measuring and Reducing Gendered Correlations in Pre-trained Models",
        arxiv="2010.06032",
    ),
    "Wilcoxon 1945": Work(
        ("Wilcoxon, F.",),
        1945,
        "Individual Comparisons by Ranking Methods",
        journal="Biometrics Bulletin",
        volume="1",
        number="6",
        pages="80–83",
    ),
    "Zhao et al. 2018": Work(
        (
            "Zhao, J.",
            "Wang, T.",
            "Yatskar, M.",
            "Ordonez, V.",
            "Chang, K.-W.",
        ),
        2018,
        "Gender Bias in Coreference Resolution: Evaluation and Debiasing Methods",
        proceedings="Proceedings of NAACL-HLT 2018",
    ),
    "Zhao et al. 2019": Work(
        (
            "Zhao, J.",
            "Wang, T.",
            "Yatskar, M.",
            "Cotterell, R.",
            "Ordonez, V.",
            "Chang, K.-W.",
        ),
        2019,
        "Gender Bias in Contextualized Word Embeddings",
        proceedings="Proceedings of NAACL-HLT 2019",
    ),
}
# Of Irani et al. nothing but the subject is known here: the entry says no more.
REFERENCES = {name: work.reference for name, work in WORKS.items()} | {
    "Irani et al. 2020": "Irani et al. (2020), on SEAT in fine-tuned models."
}


def cited(names: Iterable[str]) -> tuple[str, ...]:
    """The reference of each paper, each once."""
    return tuple(dict.fromkeys(REFERENCES[name] for name in names))


def named_in(text: str) -> tuple[str, ...]:
    """The reference of each paper that a text names."""
    return cited(name for name in REFERENCES if name in text)
