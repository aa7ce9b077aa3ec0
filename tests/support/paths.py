"""Where tests find things."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
EMBEDDED = ROOT / "assets" / "models" / "minilm-mlm"
