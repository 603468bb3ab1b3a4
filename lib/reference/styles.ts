import { monospace, palette, paletteRules, sansSerif } from '../../functions/shared/html/theme.ts';

const [alarm, alarmInTheDark] = palette.alarm;

/** Styles of the reference, light and dark, from 320 pixels of width. */
export const styles = `
${paletteRules}
:root{--code:light-dark(#edf2f0,#151c19);--get:light-dark(#0b5394,#8ec5ff);--post:light-dark(#0f5c4a,#7fd6b9);--put:light-dark(#7a4b00,#f0c070);--delete:light-dark(${alarm},${alarmInTheDark})}
*{box-sizing:border-box}
html{scroll-padding-top:72px;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--card);color:var(--text);font:15px/1.6 ${sansSerif};overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
main:focus{outline:none}
[hidden]{display:none!important}
.skip{position:absolute;left:8px;top:-64px;padding:8px 16px;background:var(--card);z-index:3}
.skip:focus{top:8px}
.bar{white-space:nowrap;position:sticky;top:0;z-index:2;display:flex;align-items:center;gap:16px;min-height:56px;padding:8px 16px;background:var(--card);border-bottom:1px solid var(--line)}
.brand{display:flex;align-items:center;gap:10px;margin-right:auto;color:var(--text);font-weight:600;font-size:16px;text-decoration:none}
.brand .of{color:var(--muted);font-weight:400}
.mark{width:28px;height:28px;border-radius:7px;background:var(--accent);color:var(--onAccent);font-weight:700;line-height:28px;text-align:center}
button{min-height:32px;padding:2px 14px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--accent);font:inherit;font-size:14px;cursor:pointer}
button:hover{background:var(--panel)}
#find{color:var(--muted)}
kbd{margin-left:8px;padding:0 6px;border:1px solid var(--line);border-radius:4px;font:12px ${monospace}}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:5px 12px;border-radius:6px;color:var(--text);font-size:14px;line-height:1.4;text-decoration:none}
nav a:hover{background:var(--panel)}
nav a[aria-current]{background:var(--panel);color:var(--accent);font-weight:600}
nav li li a{padding-left:24px;color:var(--muted)}
nav li ul{margin:2px 0 8px}
.menu{margin:0}
.menu summary{padding:4px 14px;border:1px solid var(--line);border-radius:8px;font-size:14px;list-style:none;cursor:pointer}
.menu summary::-webkit-details-marker{display:none}
.menu nav{white-space:normal;position:absolute;left:0;right:0;top:100%;max-height:75vh;overflow:auto;padding:12px;background:var(--card);border-bottom:1px solid var(--line);box-shadow:0 12px 24px #0002}
.side{display:none}
main{padding:24px 16px 64px;min-width:0}
h1{margin:0 0 8px;font-size:30px;line-height:1.2;font-weight:650;letter-spacing:-.01em;text-wrap:balance}
h2{margin:0 0 8px;font-size:21px;line-height:1.3;font-weight:650}
h2 a,article h3 a{color:inherit;text-decoration:none}
h2 a:hover,h3 a:hover{text-decoration:underline}
h3{margin:24px 0 6px;font-size:14px;font-weight:650}
p{margin:0 0 12px}
.lead{max-width:720px;margin:0 0 20px;color:var(--muted);font-size:17px}
section{margin:40px 0 0}
article{padding:36px 0;border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 900px}
article.error,section.object{padding:16px 0 4px;margin:0;content-visibility:auto;contain-intrinsic-size:auto 200px}
article.error h3,section.object h3{margin:0 0 6px;font-size:16px}
.text{min-width:0}
.text h3:first-child{margin-top:0;font-size:17px}
.endpoint{margin:0 0 10px;font-size:13px}
.method{font:700 12px ${monospace}}
.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
.summary{font-size:16px}
code{font:13px/1.55 ${monospace}}
:not(pre)>code{padding:1px 5px;border-radius:4px;background:var(--code)}
pre{margin:0 0 12px;padding:14px 16px;border:1px solid var(--line);border-radius:8px;background:var(--code);white-space:pre-wrap}
pre code{display:block}
.contents,.cards,.errors,.events{padding:0;list-style:none}
.contents li{display:flex;flex-wrap:wrap;gap:0 16px;justify-content:space-between;padding:7px 0;border-bottom:1px solid var(--line)}
.contents .endpoint{margin:0}
.contents li:last-child{border:0}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(260px,100%),1fr));gap:16px;margin:16px 0 0}
.cards li{padding:16px;border:1px solid var(--line);border-radius:10px}
.cards a{font-weight:600}
.cards p{margin:4px 0 0;color:var(--muted);font-size:14px}
.panel{margin:0 0 16px;padding:16px 20px;border:1px solid var(--line);border-radius:10px}
.panel h3{margin:0 0 8px}
.panel>:last-child{margin:0}
.fields,.alternatives{margin:0 0 12px;padding:0;list-style:none}
.fields .fields,.alternatives{padding-left:14px;border-left:2px solid var(--line)}
.fields>li{padding:8px 0;border-top:1px solid var(--line)}
.fields .fields>li{padding:4px 0;border:0}
.fields p{margin:2px 0 0}
.name code{font-weight:700}
.facts{color:var(--muted);font-size:13px}
.required{color:var(--delete);font-size:12px;font-weight:600}
.errors{margin:0}
.errors li{padding:8px 0;border-top:1px solid var(--line)}
.errors a{display:block;text-decoration:none}
.events{display:flex;flex-wrap:wrap;gap:6px 10px}
details{margin:0 0 10px}
.text details,main>section details{padding:0 14px;border:1px solid var(--line);border-radius:8px}
summary{padding:7px 0;cursor:pointer;font-size:14px}
.status{font-weight:700}
.s2{color:var(--post)}.s3{color:var(--get)}.s4{color:var(--put)}.s5{color:var(--delete)}
table{margin:0 0 12px;border-collapse:collapse;font-size:14px}
th,td{padding:5px 14px 5px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.languages{display:flex;flex-wrap:wrap;align-items:center;gap:4px;margin:0 0 8px;padding:0;border:0;min-width:0}
.languages legend{margin:0 0 6px;padding:0;color:var(--muted);font-size:13px}
.languages label{padding:3px 10px;border:1px solid transparent;border-radius:6px;font-size:13px;cursor:pointer}
.languages input{width:14px;height:14px;margin:0 6px 0 0;vertical-align:-2px;accent-color:var(--accent)}
.languages label:has(:checked){border-color:var(--line);background:var(--code);font-weight:600}
.run{margin-right:8px;border-color:var(--accent);background:var(--accent);color:var(--onAccent)}
.run:hover{background:var(--accent);filter:brightness(.93)}
.copy{margin:0 0 12px}
.output{max-height:480px;overflow:auto;border-color:var(--accent)}
@supports selector(:has(a)){
.code pre.example,.code pre.example+.copy{display:none}
.code:has([value=curl]:checked) pre.curl,.code:has([value=TypeScript]:checked) pre.typescript,.code:has([value=Python]:checked) pre.python{display:block}
.code:has([value=curl]:checked) pre.curl+.copy,.code:has([value=TypeScript]:checked) pre.typescript+.copy,.code:has([value=Python]:checked) pre.python+.copy{display:inline-block}
}
dialog{width:min(640px,calc(100vw - 24px));max-height:80vh;margin:8vh auto 0;padding:16px;border:1px solid var(--line);border-radius:12px;background:var(--card);color:var(--text)}
dialog::backdrop{background:#0008}
dialog label{display:block;margin:0 0 6px;font-size:13px;color:var(--muted)}
.row{display:flex;gap:8px}
input[type=search]{flex:1;min-width:0;min-height:42px;padding:6px 12px;border:1px solid var(--muted);border-radius:8px;background:var(--card);color:inherit;font:inherit}
#status{min-height:20px;margin:8px 0 4px;color:var(--muted);font-size:13px}
#results{margin:0;padding:0;list-style:none}
#results a{display:block;padding:7px 10px;border-radius:8px;color:var(--text);font-weight:600;text-decoration:none}
#results a:hover,#results a:focus{background:var(--panel)}
#results span{display:block;color:var(--muted);font:12px/1.5 ${monospace}}
@media (max-width:399px){#find kbd,.brand .of{display:none}}
@media (min-width:900px){
.bar{padding:8px 24px}.menu{display:none}
.columns{display:grid;grid-template-columns:264px minmax(0,1fr)}
.side{display:block;position:sticky;top:57px;height:calc(100vh - 57px);overflow:auto;padding:20px 12px;border-right:1px solid var(--line)}
main{padding:36px 48px 96px;max-width:1280px}
}
@media (min-width:1200px){
article:has(.code){display:grid;grid-template-columns:minmax(0,1fr) minmax(0,46%);gap:48px}
.code{position:sticky;top:76px;align-self:start;max-height:calc(100vh - 92px);overflow:auto;min-width:0}
}
@media (forced-colors:active){.mark{border:1px solid}}
@media print{article,section.object{content-visibility:visible!important}.bar,nav,button{display:none!important}details::details-content{content-visibility:visible}}
`;
