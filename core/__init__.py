"""The engine of Tiltmeter: models, metrics, experiments, charts and exports. Never imports streamlit."""

__version__ = "0.1.0"
