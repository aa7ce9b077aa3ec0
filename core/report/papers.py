"""The papers that texts refer to, each by the name it has within a sentence."""

from __future__ import annotations

from collections.abc import Iterable

PAPERS = {
    "Bartl et al. 2020": (
        "Bartl, M., Nissim, M. and Gatt, A. (2020). Unmasking Contextual Stereotypes: Measuring and Mitigating BERT's "
        "Gender Bias. Proceedings of the Second Workshop on Gender Bias in Natural Language Processing."
    ),
    "Basta et al. 2019": (
        "Basta, C., Costa-jussà, M. R. and Casas, N. (2019). Evaluating the Underlying Gender Bias in Contextualized "
        "Word Embeddings. Proceedings of the First Workshop on Gender Bias in Natural Language Processing."
    ),
    "Belrose et al. 2023": (
        "Belrose, N., Schneider-Joseph, D., Ravfogel, S., Cotterell, R., Raff, E. and Biderman, S. (2023). LEACE: "
        "Perfect linear concept erasure in closed form. Advances in Neural Information Processing Systems 36."
    ),
    "Benjamini and Hochberg 1995": (
        "Benjamini, Y. and Hochberg, Y. (1995). Controlling the False Discovery Rate: A Practical and Powerful "
        "Approach to Multiple Testing. Journal of the Royal Statistical Society, Series B, 57(1), 289–300."
    ),
    "Bolukbasi et al. 2016": (
        "Bolukbasi, T., Chang, K.-W., Zou, J., Saligrama, V. and Kalai, A. (2016). Man is to Computer Programmer as "
        "Woman is to Homemaker? Debiasing Word Embeddings. Advances in Neural Information Processing Systems 29."
    ),
    "Caliskan et al. 2017": (
        "Caliskan, A., Bryson, J. J. and Narayanan, A. (2017). Semantics derived automatically from language corpora "
        "contain human-like biases. Science, 356(6334), 183–186."
    ),
    "Delobelle et al. 2022": (
        "Delobelle, P., Tokpo, E. K., Calders, T. and Berendt, B. (2022). Measuring Fairness with Biased Rulers. "
        "Proceedings of NAACL-HLT 2022."
    ),
    "Guo & Caliskan 2021": (
        "Guo, W. and Caliskan, A. (2021). Detecting Emergent Intersectional Biases: Contextualized Word Embeddings "
        "Contain a Distribution of Human-like Biases. Proceedings of AIES 2021."
    ),
    "Hall Maudslay et al. 2019": (
        "Hall Maudslay, R., Gonen, H., Cotterell, R. and Teufel, S. (2019). It's All in the Name: Mitigating Gender "
        "Bias with Name-Based Counterfactual Data Substitution. Proceedings of EMNLP-IJCNLP 2019."
    ),
    "Irani et al. 2020": "Irani et al. (2020), on SEAT in fine-tuned models.",
    "Kauf & Ivanova 2023": (
        "Kauf, C. and Ivanova, A. (2023). A Better Way to Do Masked Language Model Scoring. Proceedings of ACL 2023 "
        "(Volume 2: Short Papers)."
    ),
    "Kendall & Babington Smith 1939": (
        "Kendall, M. G. and Babington Smith, B. (1939). The Problem of m Rankings. The Annals of Mathematical "
        "Statistics, 10(3), 275–287."
    ),
    "Kurita et al. 2019": (
        "Kurita, K., Vyas, N., Pareek, A., Black, A. W. and Tsvetkov, Y. (2019). Measuring Bias in Contextualized Word "
        "Representations. Proceedings of the First Workshop on Gender Bias in Natural Language Processing. "
        "arXiv:1906.07337."
    ),
    "Li et al. 2021": (
        "Li, B., Peng, H., Sainju, R., Yang, J., Yang, L., Liang, Y., Jiang, W., Wang, B., Liu, H. and Ding, C. "
        "(2021). Detecting Gender Bias in Transformer-based Models: A Case Study on BERT. arXiv:2110.15733."
    ),
    "May et al. 2019": (
        "May, C., Wang, A., Bordia, S., Bowman, S. R. and Rudinger, R. (2019). On Measuring Social Biases in Sentence "
        "Encoders. Proceedings of NAACL-HLT 2019."
    ),
    "Salazar et al. 2020": (
        "Salazar, J., Liang, D., Nguyen, T. Q. and Kirchhoff, K. (2020). Masked Language Model Scoring. Proceedings of "
        "ACL 2020."
    ),
    "Smith et al. 2022": (
        "Smith, E. M., Hall, M., Kambadur, M., Presani, E. and Williams, A. (2022). “I’m sorry to hear that”: Finding "
        "New Biases in Language Models with a Holistic Descriptor Dataset. Proceedings of EMNLP 2022, 9180–9211."
    ),
    "Vulić et al. 2020": (
        "Vulić, I., Ponti, E. M., Litschko, R., Glavaš, G. and Korhonen, A. (2020). Probing Pretrained Language Models "
        "for Lexical Semantics. Proceedings of EMNLP 2020."
    ),
    "Webster et al. 2018": (
        "Webster, K., Recasens, M., Axelrod, V. and Baldridge, J. (2018). Mind the GAP: A Balanced Corpus of Gendered "
        "Ambiguous Pronouns. Transactions of the Association for Computational Linguistics, 6, 605–617."
    ),
    "Zhao et al. 2019": (
        "Zhao, J., Wang, T., Yatskar, M., Cotterell, R., Ordonez, V. and Chang, K.-W. (2019). Gender Bias in "
        "Contextualized Word Embeddings. Proceedings of NAACL-HLT 2019."
    ),
}


def cited(names: Iterable[str]) -> tuple[str, ...]:
    """The reference of each paper, each once."""
    return tuple(dict.fromkeys(PAPERS[name] for name in names))
