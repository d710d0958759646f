"""One report, written and read: its document of sections, tables and texts, and every form it is written in."""
