"""Starts the app; a Hugging Face Space runs this file."""

import os
import sys

# No telemetry from any library; set before gradio is imported.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

from polqa_demo.errors import UserError
from polqa_demo.settings import settings
from polqa_demo.ui.app import serve

if __name__ == "__main__":
    try:
        serve(settings())
    except UserError as error:
        sys.exit(f"{error.message.pl}\n{error.message.en}")
