import { monospace, palette, sansSerif } from '../../functions/shared/html/theme.ts';

const [alarm, alarmInTheDark] = palette.alarm;

/** Styles of the reference, light and dark, from 320 pixels of width. */
export const styles = `
:root{color-scheme:light dark;--page:light-dark(#f7f8f8,#101513);--card:light-dark(#fff,#1a211e);--line:light-dark(#d5ddd9,#3a4741);
--text:light-dark(#17211d,#e9efec);--muted:light-dark(#4a5751,#aab7b1);--accent:light-dark(#0f5c4a,#7fd6b9);--code:light-dark(#edf2f0,#26322d);
--get:light-dark(#0b5394,#8ec5ff);--post:light-dark(#0f5c4a,#7fd6b9);--put:light-dark(#7a4b00,#f0c070);--delete:light-dark(${alarm},${alarmInTheDark})}
*{box-sizing:border-box}
html{scroll-padding-top:16px}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.55 ${sansSerif};overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:8px;top:-64px;padding:8px 16px;background:var(--card)}
.skip:focus{top:8px}
[hidden]{display:none!important}
header,main,footer{padding:16px;max-width:960px}
nav{padding:16px;border-bottom:1px solid var(--line);max-height:45vh;overflow:auto}
nav ul{list-style:none;margin:0;padding:0}
nav h2{margin:16px 0 4px;font-size:14px;color:var(--muted)}
nav li a{display:block;padding:3px 0;text-decoration:none;font-size:14px}
nav a:hover{text-decoration:underline}
label{display:block;font-weight:600;font-size:14px}
input{width:100%;min-height:40px;padding:6px 10px;border:1px solid var(--muted);border-radius:6px;background:var(--card);color:inherit;font:inherit}
h1{margin:0;font-size:28px;line-height:1.2}
h2{margin:40px 0 8px;font-size:24px}
h3{margin:0 0 8px;font-size:18px}
h3 a{color:inherit;text-decoration:none}
h4{margin:20px 0 4px;font-size:15px;color:var(--muted)}
p{margin:0 0 10px}
article,.panel{margin:0 0 24px;padding:20px;border:1px solid var(--line);border-radius:10px;background:var(--card)}
article:target{border-color:var(--accent)}
.method{font-size:14px;font-weight:700}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.delete{color:var(--delete)}
.summary{font-weight:600}
code{font:14px/1.5 ${monospace}}
:not(pre)>code{padding:1px 4px;border-radius:4px;background:var(--code)}
pre{margin:0 0 10px;padding:12px;border-radius:6px;background:var(--code);white-space:pre-wrap}
.fields,.alternatives{margin:0 0 10px;padding:0 0 0 12px;border-left:2px solid var(--line);list-style:none}
.fields>li,.alternatives>li{margin:0 0 8px}
.fields p{margin:0}
.facts,.place,.media,.headers,.other,footer{color:var(--muted);font-size:14px}
.required{font-size:13px;color:var(--delete)}
details{margin:0 0 8px;border:1px solid var(--line);border-radius:6px;padding:0 12px}
summary{margin:0 -12px;padding:8px 12px;cursor:pointer}
.status{font-weight:700}
.s2{color:var(--post)}.s3{color:var(--get)}.s4{color:var(--put)}.s5{color:var(--delete)}
table{margin:0 0 10px;border-collapse:collapse;font-size:14px}
th,td{padding:4px 12px 4px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
button{min-height:32px;margin:0 0 10px;padding:2px 14px;border:1px solid var(--accent);border-radius:6px;background:none;color:var(--accent);font:inherit;font-size:14px;cursor:pointer}
@media (min-width:1000px){body{display:grid;grid-template-columns:320px minmax(0,1fr)}nav{grid-row:1/4;position:sticky;top:0;height:100vh;max-height:none;border:0;border-right:1px solid var(--line)}header,main,footer{padding:24px 40px}}
@media print{nav,button{display:none}details::details-content{content-visibility:visible}}
`;
