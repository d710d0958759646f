"""How the app looks: system fonts, one accent colour, contrast that passes WCAG AA in light and dark."""

from typing import Any

from polqa_demo.ui.style_compare import COMPARE_CSS

FONTS = ["system-ui", "Segoe UI", "Roboto", "sans-serif"]
MONO = ["ui-monospace", "SFMono-Regular", "Menlo", "monospace"]

# Gradio's own greys are too pale for small text; these pass axe-core in both modes.
COLOURS = {
    "body_background_fill": "*neutral_50",
    "button_primary_background_fill": "*primary_700",
    "button_primary_background_fill_dark": "*primary_700",
    "button_primary_background_fill_hover": "*primary_800",
    "button_primary_background_fill_hover_dark": "*primary_800",
    "block_title_text_color": "*neutral_800",
    "block_title_text_color_dark": "*neutral_100",
    "block_label_text_color": "*neutral_700",
    "block_label_text_color_dark": "*neutral_200",
    "block_info_text_color": "*neutral_600",
    "block_info_text_color_dark": "*neutral_300",
    "body_text_color_subdued": "*neutral_600",
    "body_text_color_subdued_dark": "*neutral_300",
    "input_placeholder_color": "*neutral_500",
    "input_placeholder_color_dark": "*neutral_400",
    "color_accent": "*primary_700",
    "border_color_accent": "*primary_700",
    "link_text_color": "*primary_700",
    "link_text_color_dark": "*primary_300",
}

# Gradio scopes what stands inside @media to the tabs: no rule for the footer or the frame belongs there.
CSS = """
.gradio-container { max-width: min(1120px, 100%) !important; margin: 0 auto !important; }
.gradio-container > .main { min-width: 0; max-width: 100%; padding-left: clamp(1rem, 4vw, 2rem) !important;
  padding-right: clamp(1rem, 4vw, 2rem) !important; }
#title, #answer, #passages, #problems, #scores, .pq-bare,
:is(#title, #answer, #passages, #problems, #scores, .pq-bare) > * {
  padding-left: 0 !important; padding-right: 0 !important; }
#title h1 { font-size: 1.5rem; margin: 0; }
footer button, footer a, nav a, button[role=tab] { color: var(--body-text-color) !important; opacity: 1 !important; }
button[role=tab][aria-selected=true] { font-weight: 600; text-decoration: underline;
  text-decoration-thickness: 2px; text-underline-offset: 8px; }
.pq-rows { overflow: auto; max-height: 38rem; border: 1px solid var(--border-color-primary); border-radius: 4px; }
.pq-table.pq-items { table-layout: fixed; min-width: 54rem; }
.pq-table.pq-items th, .pq-table.pq-items td { padding: .3rem .6rem !important; overflow-wrap: anywhere; }
.pq-items thead th { position: sticky; top: 0; z-index: 1; background: var(--background-fill-secondary); }
.pq-items thead th:first-child { width: 4.5rem; }
.pq-items thead th:nth-child(2) { width: 28%; }
.pq-open { text-align: left; width: 100%; min-height: 44px; padding: .3rem 0; color: var(--link-text-color);
  text-decoration: underline; text-underline-offset: 3px; overflow-wrap: anywhere; font: inherit; }
.pq-pages, .pq-do { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0; }
.pq-pages button, .pq-do button { min-height: 44px; padding: 0 .9rem; border: 1px solid var(--border-color-primary);
  border-radius: 6px; background: var(--button-secondary-background-fill); color: var(--body-text-color); }
.pq-pages span { font-variant-numeric: tabular-nums; padding: 0 .5rem; }
.pq-pages button[aria-disabled] { color: var(--body-text-color-subdued); border-style: dashed; cursor: default; }
:is(.pq-open, .pq-pages button, .pq-do button, .pq-item h2, .pq-item summary):focus-visible {
  outline: 2px solid var(--color-accent); outline-offset: 2px; }
.dark :is(.pq-open, .pq-pages button, .pq-do button, .pq-item h2, .pq-item summary):focus-visible {
  outline-color: var(--primary-300); }
.pq-item { border-top: 2px solid var(--border-color-primary); margin-top: 1rem; padding-top: .75rem;
  overflow-wrap: anywhere; }
.pq-item h2 { font-size: 1rem; font-weight: 600; margin: 0; scroll-margin: 1rem; }
.pq-item h3 { font-size: 1rem; font-weight: 600; margin: 1.25rem 0 .25rem; }
.pq-asked { font-size: 1.25rem; margin: .25rem 0; }
.pq-facts { margin: .75rem 0; }
.pq-facts > div { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: .15rem 1rem; padding: .3rem 0;
  border-bottom: 1px solid var(--border-color-primary); }
.pq-facts dt { color: var(--body-text-color-subdued); }
.pq-facts dd { margin: 0; min-width: 0; text-align: left; }
.pq-golds { list-style: none; margin: 0; padding: 0; }
.pq-golds .marked bdi { font-weight: 600; }
.pq-mark { color: var(--body-text-color-subdued); font-size: .875rem; }
.pq-letters { font-family: var(--font-mono); line-height: 1.3; display: flex; flex-wrap: wrap; gap: .5rem 0;
  margin: .5rem 0; }
.pq-word { display: inline-flex; flex-wrap: wrap; row-gap: .5rem; max-width: 100%; }
.pq-letter { display: inline-flex; flex-direction: column; align-items: center; min-width: 1.1rem; }
.pq-letter i { font-style: normal; font-weight: 600; height: 1.3em; }
.pq-letter.same { color: var(--body-text-color-subdued); }
.pq-letter:not(.same) { background: var(--background-fill-secondary);
  box-shadow: inset 0 0 0 1px var(--border-color-primary); }
.pq-letter.deleted bdi:first-child, .pq-letter.replaced bdi:first-child { text-decoration: line-through; }
.pq-letter.inserted bdi:last-child, .pq-letter.replaced bdi:last-child { text-decoration: underline;
  text-underline-offset: 3px; }
.pq-shelf { list-style: none; margin: 0; padding: 0; }
.pq-held { border-bottom: 1px solid var(--border-color-primary); border-left: 3px solid transparent;
  padding-left: .6rem; }
.pq-held.gold { border-left-color: var(--color-accent); }
.pq-held summary, .pq-line { min-height: 44px; padding: .6rem 0; margin: 0; cursor: pointer; }
.pq-line { cursor: default; }
.pq-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.gradio-container button.lg, .gradio-container button.sm, .gradio-container button[role=tab] { min-height: 44px; }
.gradio-container button.sm { font-weight: 400; }
footer button { min-height: 44px; }
.gradio-container button.icon-button, .gradio-container button.label-clear-button { min-width: 28px; min-height: 28px;
  justify-content: center; }
.gradio-container button.icon-button .small { position: static; }
.gradio-container button.icon-button button.upload-container { inset: -1px; width: calc(100% + 2px);
  height: calc(100% + 2px); }
footer .divider { display: none !important; }
footer { gap: 1.5rem; }
.gradio-container .file-preview .file { align-items: center; }
.gradio-container button.label-clear-button { display: inline-flex; align-items: center; vertical-align: middle; }
.gradio-container .label-wrap { min-height: 44px; align-items: center; text-align: left; }
@media (max-width: 640px) {
  .pq-facts > div { grid-template-columns: 1fr; }
  .pq-rows { max-height: 70vh; }
  .pq-table.pq-items { min-width: 48rem; }
  .pq-pages { display: grid; grid-template-columns: 1fr 1fr; }
  .pq-pages span { grid-row: 1; grid-column: 1 / -1; }
  #files button.icon-button, #gold-file button.icon-button, #files button.label-clear-button,
  #gold-file button.label-clear-button { min-height: 44px; min-width: 44px; }
  .pq-passage details summary, .pq-problems summary, .pq-more summary { padding: .75rem 0; }
}
.pq-lead { color: var(--body-text-color-subdued); margin: 0; }
.pq-label { align-self: center; color: var(--body-text-color-subdued); margin: 0; white-space: nowrap; }
.pq-start { color: var(--body-text-color-subdued); padding: .5rem 0; }
.pq-answer { font-size: 2rem; line-height: 1.25; font-weight: 600; margin: .5rem 0 .25rem; overflow-wrap: anywhere; }
.pq-answer.none, .pq-answer.unsure { font-size: 1.65rem; font-weight: 500; }
.pq-answered { color: var(--body-text-color-subdued); margin: .5rem 0 0; overflow-wrap: anywhere; }
.pq-guess { color: var(--body-text-color-subdued); margin: .5rem 0 0; }
.pq-meta { color: var(--body-text-color-subdued); font-variant-numeric: tabular-nums; margin: 0 0 .5rem; }
.pq-check { margin: .25rem 0 .75rem; padding: .5rem .75rem; border-left: 4px solid; border-radius: 4px;
  background: var(--background-fill-secondary); }
.pq-check.right { border-color: #15803d; }
.pq-check.wrong { border-color: #b91c1c; }
.pq-passages { list-style: none; margin: 0; padding: 0; }
.pq-passage { padding: .75rem 0 .75rem .9rem; border-top: 1px solid var(--border-color-primary);
  border-left: 3px solid transparent; overflow-wrap: anywhere; scroll-margin: 1rem; }
.pq-passage.source { border-left-color: var(--color-accent); background: var(--background-fill-secondary); }
.pq-head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
.pq-rank { min-width: 1.6rem; font-variant-numeric: tabular-nums; color: var(--body-text-color-subdued); }
.pq-title { font-weight: 600; }
.pq-id, .pq-score { color: var(--body-text-color-subdued); font-size: .875rem; font-variant-numeric: tabular-nums; }
.pq-score { margin-left: auto; }
.pq-text { margin: .35rem 0; line-height: 1.55; }
.pq-text mark { background: none; color: inherit; text-decoration: underline; text-decoration-thickness: 1px;
  text-underline-offset: 3px; text-decoration-color: var(--color-accent); }
.pq-text mark.answer { background: #fde68a; color: #1f2937; font-weight: 600; text-decoration: none;
  padding: 0 .15em; border-radius: 3px; }
.pq-passage details summary, .pq-problems summary, .pq-more summary {
  cursor: pointer; color: var(--body-text-color-subdued);
  font-size: .875rem; min-height: 24px; }
.pq-terms { font-size: .875rem; font-variant-numeric: tabular-nums; margin: .25rem 0 0; }
.pq-problems { border-left: 4px solid #b45309; padding: .5rem .9rem; background: var(--background-fill-secondary);
  border-radius: 4px; margin: 0 0 1rem; }
.pq-problems.error { border-color: #b91c1c; }
.pq-problems.note { border-color: var(--color-accent); }
.pq-problems ul { margin: .25rem 0 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
.pq-problems h2 { margin: 0; font-size: 1rem; }
.pq-scores { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.5rem; }
.pq-measure h2 { margin: 0; font-size: 1rem; font-weight: 500; }
.pq-value { font-size: 2rem; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.2; }
.pq-side { font-variant-numeric: tabular-nums; margin: .15rem 0; }
.pq-hint { color: var(--body-text-color-subdued); font-size: .875rem; margin: .35rem 0; }
.pq-part { font-size: 1rem; font-weight: 600; margin: .75rem 0 .35rem; }
.pq-scroll { overflow-x: auto; }
.pq-table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; width: 100%;
  min-width: 34rem; border: 0 !important; }
.pq-table th, .pq-table td { text-align: left; padding: .3rem .6rem .3rem 0 !important; vertical-align: top;
  border: 0 !important; border-bottom: 1px solid var(--border-color-primary) !important; font-weight: 400; }
.pq-table thead th { color: var(--body-text-color-subdued); }
.pq-table tr.sure td { font-weight: 600; }
.pq-figure { margin: .5rem 0 1rem; }
.pq-figure svg { display: block; width: 100%; min-width: 34rem; max-width: 46rem; height: auto; font-size: 12px; }
.pq-figure figcaption { color: var(--body-text-color-subdued); font-size: .875rem; }
.pq-figure text { fill: var(--body-text-color-subdued); }
.pq-figure text.value, .pq-figure text.sure { fill: var(--body-text-color); }
.pq-figure text.sure { font-weight: 600; }
.pq-figure .grid { stroke: var(--border-color-primary); }
.pq-figure .axis, .pq-figure .whole { stroke: var(--body-text-color-subdued); }
.pq-figure .whole { stroke-dasharray: 4 3; }
.pq-figure .band { fill: var(--primary-200); }
.dark .pq-figure .band { fill: var(--primary-900); }
.pq-figure .curve { fill: none; stroke: var(--color-accent); stroke-width: 2; }
.pq-figure .dot, .pq-figure .bar { fill: var(--color-accent); }
.dark .pq-figure .curve { stroke: var(--primary-300); }
.dark .pq-figure .dot, .dark .pq-figure .bar { fill: var(--primary-300); }
.pq-figure .bar.missed { fill: #b91c1c; }
.dark .pq-figure .bar.missed { fill: #fca5a5; }
.pq-figure .interval { stroke: var(--color-accent); stroke-width: 2; }
.dark .pq-figure .interval { stroke: var(--primary-300); }
.pq-figure .interval.sure { stroke-width: 4; }
.pq-small { color: var(--body-text-color-subdued); font-size: .8rem; }
.pq-list { margin: .25rem 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
.pq-signature { font-family: var(--font-mono); font-size: .8rem; overflow-wrap: anywhere; margin: 1rem 0 0; }
"""
CSS += COMPARE_CSS


def build_theme() -> Any:
    """The theme, as Gradio wants it at launch."""
    import gradio as gr

    base = gr.themes.Default(primary_hue="indigo", neutral_hue="slate", font=FONTS, font_mono=MONO)
    return base.set(**COLOURS)
