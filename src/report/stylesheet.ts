/** The look of the HTML report; follows the reader's light or dark setting. */
export const stylesheet = `
:root{color-scheme:light dark;--ground:#fff;--ink:#1d2530;--quiet:#667384;--line:#d9e0e8;--soft:#f4f6f9;--good:#187a3d;--good-soft:#dff3e6;--bad:#b3261e;--bad-soft:#fbe4e2;--mark:#2456c7}
@media (prefers-color-scheme:dark){:root{--ground:#12161c;--ink:#e4e9f0;--quiet:#93a0b1;--line:#2c3542;--soft:#1a2029;--good:#5fd38a;--good-soft:#16341f;--bad:#ff8a80;--bad-soft:#42191a;--mark:#86a9ff}}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:960px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:24px;margin:10px 0 2px;overflow-wrap:anywhere}h2{font-size:18px;margin:30px 0 8px}h4{margin:14px 0 4px}
.quiet{color:var(--quiet)}.path{font-size:13px}.warn{color:var(--bad)}
.badge{display:inline-block;margin:0;padding:1px 10px;border-radius:99px;font-weight:600}
.good{color:var(--good)}.bad{color:var(--bad)}.badge.good{background:var(--good-soft)}.badge.bad{background:var(--bad-soft)}
svg{display:block;width:100%;max-width:760px}svg.plot{max-width:100%}
svg text{font:12px system-ui,sans-serif;text-anchor:middle;fill:var(--ink)}svg .count{font-size:11px;fill:var(--quiet)}
.state rect{fill:var(--soft);stroke:var(--line)}.state.idle text{fill:var(--quiet)}
.state.visited rect{stroke:var(--mark);stroke-width:1.6}.state.end.good rect{fill:var(--good-soft);stroke:var(--good);stroke-width:1.6}.state.end.bad rect{fill:var(--bad-soft);stroke:var(--bad);stroke-width:1.6}
.edge{fill:none;stroke:var(--mark);stroke-width:1.4}.tip{fill:var(--mark)}
.all{fill:none;stroke:var(--line)}.bar.good{fill:var(--good)}.bar.bad{fill:var(--bad)}
details{border:1px solid var(--line);border-radius:8px;padding:8px 14px;margin:8px 0}summary{cursor:pointer}
.layer{font-size:12px;padding:1px 8px;border-radius:99px;border:1px solid var(--line);color:var(--quiet)}.layer.passed{color:var(--good)}.layer.failed{color:var(--bad);border-color:var(--bad)}
.failure{border-left:3px solid var(--bad);padding:2px 0 2px 12px;margin:12px 0}.failure.warning{border-color:var(--line)}.failure p{margin:0 0 4px}
.kind{font:600 12px ui-monospace,monospace;color:var(--bad)}
pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:10px;overflow:auto;font:13px/1.45 ui-monospace,monospace}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}th{text-align:left;font-weight:500;color:var(--quiet);padding-right:12px;vertical-align:top}
.diff .added{color:var(--good);background:var(--good-soft)}.diff .removed{color:var(--bad);background:var(--bad-soft)}.diff .hunk,.diff .file{color:var(--quiet)}
`
