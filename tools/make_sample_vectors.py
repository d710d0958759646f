"""Makes the shipped vectors of the embedded sample anew: `python -m tools.make_sample_vectors [--cache FOLDER]`.

Needed when the sample's passages or the embedded encoder change.
"""

import argparse
from pathlib import Path

from polqa_demo.data.passages import read_passages
from polqa_demo.data.sample import passages_file
from polqa_demo.retrieval.encoders import EMBEDDED, open_encoder
from polqa_demo.retrieval.sample_vectors import VECTORS_FILE, load_sample_vectors, write_sample_vectors
from polqa_demo.settings import settings


def main() -> None:
    """Encodes the sample and writes the file, then reads it back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=settings().cache_dir)
    encoder = open_encoder(EMBEDDED, parser.parse_args().cache)
    passages = list(read_passages([passages_file()]))
    write_sample_vectors(encoder, passages)
    vectors = load_sample_vectors(encoder, passages)
    print(f"{VECTORS_FILE.name}: {vectors.shape}, {VECTORS_FILE.stat().st_size} bytes, {encoder.fingerprint}")


if __name__ == "__main__":
    main()
