"""How retriever times reader and the comparison look; a part of the page's style."""

# Gradio scopes what stands inside @media to the tabs, where all of this is.
COMPARE_CSS = """
:is(#attribution, #beside, #comparison, #flips, #side),
:is(#attribution, #beside, #comparison, #flips, #side) > * { padding-left: 0 !important;
  padding-right: 0 !important; }
:is(#flips-title, #side-title), :is(#flips-title, #side-title) > * { padding-left: 0 !important; }
.pq-cells { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
.pq-quarter { display: flex; flex-direction: column; padding: .75rem; border-radius: 6px;
  border: 1px solid var(--border-color-primary); min-width: 0; }
.pq-quarter-title { font-size: .875rem; font-weight: 400; margin: 0 0 .5rem; color: var(--body-text-color-subdued); }
.pq-cell { display: grid; grid-template-columns: 1fr auto; gap: 0 .75rem; align-items: baseline; width: 100%;
  min-height: 44px; padding: .5rem .75rem; margin: 0; text-align: left; font: inherit; color: var(--body-text-color);
  background: var(--background-fill-secondary); border: 1px solid transparent;
  border-left: 4px solid #15803d; border-radius: 4px; }
.pq-cell.wrong { border-left-color: #b91c1c; }
button.pq-cell:not(:disabled) { cursor: pointer; border-top-color: var(--neutral-400);
  border-right-color: var(--neutral-400); border-bottom-color: var(--neutral-400); }
button.pq-cell:hover:not(:disabled) { background: var(--border-color-primary); }
button.pq-cell:not(:disabled) .pq-cell-count { color: var(--link-text-color); text-decoration: underline;
  text-underline-offset: 3px; }
button.pq-cell:disabled { cursor: default; opacity: .6; }
.pq-cell:focus-visible, .pq-id-button:focus-visible, .pq-scroll:focus-visible {
  outline: 3px solid var(--color-accent); outline-offset: 2px; }
.dark :is(.pq-cell, .pq-id-button, .pq-scroll):focus-visible { outline-color: var(--primary-300); }
.pq-cell-name { font-weight: 600; }
.pq-cell-count { font-variant-numeric: tabular-nums; white-space: nowrap; }
.pq-cell-verdict { grid-column: 1 / -1; font-size: .875rem; color: var(--body-text-color-subdued); }
.pq-cell-why { font-size: .875rem; color: var(--body-text-color-subdued); margin: .35rem 0 .75rem; }
.pq-cell-why:last-child { margin-bottom: 0; }
.pq-bars { list-style: none; margin: .25rem 0; padding: 0; }
.pq-bars li { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
  gap: .15rem .75rem; align-items: center; padding: .3rem 0; }
.pq-bar { height: .6rem; border-radius: 3px; background: var(--border-color-primary); overflow: hidden; }
.pq-bar > span { display: block; height: 100%; background: var(--color-accent); }
.dark .pq-bar > span { background: var(--primary-300); }
.pq-bar-value { font-variant-numeric: tabular-nums; }
.pq-bar-counts { color: var(--body-text-color-subdued); font-size: .875rem; }
.pq-table :is(thead, tbody, tr) { border: 0 !important; }
.pq-table.pq-narrow { min-width: 18rem; max-width: 46rem; }
.pq-table .pq-wrap { overflow-wrap: anywhere; min-width: 7rem; }
.pq-table .pq-long { min-width: 14rem; }
.pq-table tr.pq-oracle td { color: var(--body-text-color-subdued); }
.pq-table.pq-columns th[scope=row] { width: 3rem; }
.pq-table td.gold { background: var(--background-fill-secondary); box-shadow: inset 3px 0 0 #b45309;
  padding-left: .6rem !important; }
.pq-gold { color: #92400e; }
.dark .pq-gold { color: #fcd34d; }
.pq-id-button { font: inherit; font-variant-numeric: tabular-nums; min-width: 28px; min-height: 28px;
  padding: 0 .4rem 0 0;
  color: var(--link-text-color); background: none; border: 0; text-decoration: underline; text-underline-offset: 3px;
  text-align: left; cursor: pointer; overflow-wrap: anywhere; }
.pq-alone { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .25rem; margin: 0; font-size: .875rem;
  color: var(--body-text-color-subdued); overflow-wrap: anywhere; }
@media (max-width: 640px) {
  .pq-id-button { min-width: 44px; min-height: 44px; }
}
.pq-question { font-size: 1.1rem; font-weight: 600; margin: .5rem 0 .25rem; overflow-wrap: anywhere; }
"""
