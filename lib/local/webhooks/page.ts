import { parseJson } from '../http/body.ts';
import { e, localTime, recordPage, recordsPage } from '../http/local-page.ts';
import type { CaughtDelivery, StillRunning } from './catcher.ts';

const path = '/_local/webhooks';
const back = `<a href="${path}">&larr; All webhooks</a>`;

export function deliveriesPage(
  caught: readonly CaughtDelivery[],
  name: string,
  stillRunning: readonly StillRunning[],
): string {
  const isAll = name === '';
  const notes = stillRunning.map(
    ({ webhookId, deliveries }) =>
      `<p class="note">Still running: ${deliveries} deliveries to <code>${e(webhookId)}</code>, which does not answer. The clock does not wait for them.</p>`,
  );
  return recordsPage({
    heading: isAll ? 'Webhooks' : `Webhooks to ${name}`,
    above: isAll ? '' : `<p>${back}</p>`,
    intro: 'Events that this local stack delivered to itself. Nothing leaves the machine.',
    beside: '',
    notes: notes.join('\n'),
    rows: caught.map((one) => row(one, isAll)),
    empty: {
      icon: '<circle cx="24" cy="8" r="6"/><circle cx="9" cy="28" r="6"/><circle cx="39" cy="28" r="6"/><path d="m21 13-9 10m15-10 9 10m-21 5h18"/>',
      text: `<h2>No events yet</h2><p>What is delivered to <code>${path}/${isAll ? '&lt;name&gt;' : e(name)}</code> shows up here by itself.</p>`,
    },
  });
}

function row(
  { name, n, type, receivedAt, signature, status, sequence, eventId }: CaughtDelivery,
  withName: boolean,
): string {
  const label = (text: string) => `<span class="label">${e(text)}</span>`;
  const facts = [
    signatures[signature],
    status < 300 ? '' : `<span class="badge bad">answered ${status}</span>`,
    sequence > 0 ? label(`sequence ${sequence}`) : '',
    withName ? label(`to ${name}`) : '',
    label(eventId),
  ];
  return `<a href="${path}/${e(name)}/${n}">
<span class="subject">${e(type) || '(no event)'}</span>${localTime(receivedAt)}
<span class="facts">${facts.join('')}</span>
</a>`;
}

const signatures = {
  verified: '<span class="badge good">verified</span>',
  wrong: '<span class="badge bad">signature wrong</span>',
  unknown: '<span class="badge label">secret not known</span>',
};

export function deliveryPage(caught: CaughtDelivery): string {
  const {
    name,
    n,
    eventId,
    sequence,
    receivedAt,
    signature,
    status,
    problem = '',
    body,
    headers,
    type,
  } = caught;
  const parsed = parseJson(body);
  const readable = parsed === undefined ? body : JSON.stringify(parsed, null, 2);
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  return recordPage(
    type || '(no event)',
    `${back} &middot; <a href="${path}/${e(name)}">to ${e(name)}</a>`,
    {
      Delivery: String(n),
      Event: e(eventId) || 'none',
      Sequence: String(sequence),
      Received: localTime(receivedAt),
      Signature: `${signatures[signature]} ${e(problem)}`,
      Answered: String(status),
    },
    { Body: `<pre>${e(readable)}</pre>`, Headers: `<pre>${e(lines.join('\n'))}</pre>` },
  );
}
