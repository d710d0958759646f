"""Polish: words, stems, stop words, ends of sentences, plurals, numerals."""
