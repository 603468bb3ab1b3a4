import { monospace } from '../shared/html/theme.ts';

export const sharePageStyles = `
@media (scripting:none){.loading{display:none}}
h1:focus{outline:none}
code{font:14px/1.5 ${monospace}}
fieldset{min-width:0;margin:0;padding:0;border:0}
fieldset[disabled]{opacity:.6}
legend,label{padding:0;font-weight:600}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.field{margin:0 0 20px}
.field>label,.choice>legend,.drop>label,.running>label{display:block;margin:0 0 6px}
textarea,input:not([type=radio],[type=checkbox],[type=file]),select{display:block;width:100%;min-height:48px;padding:11px 14px;border:1px solid var(--muted);border-radius:8px;background:var(--card);color:var(--text);font:inherit}
textarea{resize:vertical}
textarea.link{min-height:0;margin:0 0 12px;background:var(--page);font:14px/1.5 ${monospace};word-break:break-all;resize:none}
[aria-invalid=true]{border-color:var(--alarm)!important}
.error{margin:6px 0 0;color:var(--alarm)}
.field .note{margin:6px 0 0}
.field button{width:100%}
.choice{display:flex;flex-wrap:wrap;gap:12px;margin:0 0 20px}
.choice>legend{margin-bottom:8px}
.choice label{position:relative;flex:1 1 120px;display:flex;align-items:center;gap:10px;min-height:48px;padding:10px 14px;border:1px solid var(--line);border-radius:8px;font-weight:400;cursor:pointer}
.choice label:has(:checked){border-color:var(--accent);background:var(--panel)}
input[type=radio],input[type=checkbox]{flex:none;width:20px;height:20px;margin:0;accent-color:var(--accent)}
.row{display:flex;flex-wrap:wrap;gap:0 16px}
.row .field{flex:1 1 140px}
.joined{display:flex;gap:8px}
.joined input{flex:1 1 auto;min-width:0}
.joined button{flex:none;width:auto;padding:10px 16px}
.check{display:flex;gap:12px;align-items:flex-start;min-height:24px;font-weight:400;cursor:pointer}
.check input{margin-top:2px}
.drop{margin:0 0 8px;padding:16px;border:1px dashed var(--muted);border-radius:8px}
.drop .note{margin:8px 0 0}
input[type=file]{width:100%;font:inherit;font-size:14px}
::file-selector-button{min-height:40px;margin:0 12px 0 0;padding:6px 16px;border:1px solid var(--accent);border-radius:8px;background:none;color:var(--accent);font:inherit;font-weight:600;cursor:pointer}
.files{list-style:none;margin:16px 0;padding:0;border-top:1px solid var(--line)}
.files li{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 16px;padding:10px 0;border-bottom:1px solid var(--line)}
.files li>span{flex:1 1 160px;min-width:0}
.files .second{flex:none;min-height:40px;padding:6px 16px}
.files .note{white-space:nowrap}
.running{margin:24px 0 0}
progress{display:block;width:100%;height:12px;accent-color:var(--accent)}
button:disabled,button[aria-disabled=true]{opacity:.6;cursor:default}
button.wide{width:100%}
button.danger{border-color:var(--alarm);background:none;color:var(--alarm)}
.qr{display:block;width:100%;max-width:208px;margin:24px auto;border-radius:8px}
.receipt{margin:24px 0 16px;padding:20px 0 0;border-top:1px solid var(--line)}
.secret{max-height:60vh;margin:20px 0 0;padding:16px;border:1px solid var(--line);border-radius:8px;background:var(--page);overflow:auto;white-space:pre-wrap;font:15px/1.5 ${monospace}}
.state{font-size:18px;font-weight:600}
dl{margin:0}
dl div{display:flex;flex-wrap:wrap;gap:0 16px;padding:8px 0;border-top:1px solid var(--line)}
dt{flex:0 0 110px;color:var(--muted)}
dd{margin:0;flex:1 1 180px}
.question{margin:24px 0 0;padding:20px;border:1px solid var(--line);border-radius:8px}
.question p{margin:8px 0 0}
.note.after{margin:16px 0 0}
main>p.status{margin:16px 0 0;color:var(--muted);font-size:14px}
main>p.status:empty{margin:0}
`;
