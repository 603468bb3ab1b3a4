import { useEffect, useRef, useState } from 'preact/hooks';
import { ShareError, type ShareReceipt } from '../client/share.ts';
import type { PageProps } from './page-props.ts';
import { KeySeen } from './problems.tsx';
import { Alert, Step, useAnnounce } from './step.tsx';
import type { Visit } from './visit.ts';
import { counted, problemInWords, timeInWords } from './words.ts';

export interface ReceiptPageProps extends PageProps {
  visit: Extract<Visit, { name: 'receipt' }>;
}

/** The state of a share, for the sender, who can burn it. */
export function ReceiptPage({ client, pageUrl, visit }: ReceiptPageProps) {
  const [receipt, setReceipt] = useState<ShareReceipt>();
  const [isAbsent, setAbsent] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<{ text: string }>();
  const announce = useAnnounce();
  const running = useRef(false);

  const request = async (action: 'receipt' | 'burn') => {
    if (running.current) return;
    running.current = true;
    setRunning(true);
    setProblem(undefined);
    try {
      const next = await client[action](visit.link);
      setReceipt(next);
      setAsking(false);
      announce(stateInWords(next), true);
    } catch (error) {
      if (error instanceof ShareError && error.code === 'share_gone') setAbsent(true);
      else setProblem({ text: problemInWords(error, 'Try again. A repeated request does no harm.') });
    } finally {
      running.current = false;
      setRunning(false);
    }
  };

  if (isAbsent)
    return (
      <Step title="Receipt not found">
        <p>
          Receipts are kept for 30 days after the share expires. This one was deleted, or its link is
          incomplete. Check that you copied the whole link.
        </p>
        <p class="more">
          <a href={pageUrl}>Share a secret</a>
        </p>
      </Step>
    );
  return (
    <Step title="Receipt">
      {problem && <Alert key={problem}>{problem.text}</Alert>}
      {receipt === undefined ? (
        <p>This receipt shows whether your share was opened. Viewing it does not open the share.</p>
      ) : (
        <State receipt={receipt} />
      )}
      <div class="actions">
        <button
          type="button"
          class={receipt === undefined ? '' : 'second'}
          aria-disabled={isRunning}
          onClick={() => request('receipt')}
        >
          {receipt === undefined ? 'Show status' : 'Refresh'}
        </button>
        {receipt !== undefined && canBurn(receipt) && !isAsking && (
          <button type="button" class="second" onClick={() => setAsking(true)}>
            Burn share…
          </button>
        )}
      </div>
      {visit.keyWasSent && <KeySeen />}
      {isAsking && <BurnQuestion onBurn={() => request('burn')} onKeep={() => setAsking(false)} />}
    </Step>
  );
}

function BurnQuestion({ onBurn, onKeep }: { onBurn: () => void; onKeep: () => void }) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <section class="question" aria-labelledby="burn-question">
      <h2 id="burn-question">Burn the share?</h2>
      <p>Its content is deleted at once, and nobody can open it after that. You cannot undo this.</p>
      <div class="actions">
        <button type="button" class="danger" onClick={onBurn}>
          Burn share
        </button>
        <button type="button" class="second" ref={keep} onClick={onKeep}>
          Keep share
        </button>
      </div>
    </section>
  );
}

function canBurn({ status, views, maxViews, expiresAt }: ShareReceipt): boolean {
  const isOpen = status === 'stored' || status === 'opened';
  return isOpen && views < maxViews && Date.parse(expiresAt) > Date.now();
}

/** The state in one sentence. */
function stateInWords({ status, views, maxViews }: ShareReceipt): string {
  switch (status) {
    case 'stored':
      return 'It has not been opened yet.';
    case 'opened':
      return maxViews === 1 ? 'It was opened.' : `It was opened ${views} of ${counted(maxViews, 'time')}.`;
    case 'expired':
      return 'It expired and was never opened.';
    case 'burned':
      return views === 0
        ? 'It was burned before anyone opened it.'
        : `It was burned after it was opened ${counted(views, 'time')}.`;
  }
}

function State({ receipt }: { receipt: ShareReceipt }) {
  const { views, createdAt, expiresAt, firstOpenedAt, lastOpenedAt, burnedAt } = receipt;
  const isOver = Date.parse(expiresAt) <= Date.now();
  return (
    <>
      <p class="state">{stateInWords(receipt)}</p>
      <dl>
        <Row term="Shared" at={createdAt} />
        <Row term={views > 1 ? 'First opened' : 'Opened'} at={firstOpenedAt} />
        <Row term="Last opened" at={views > 1 ? lastOpenedAt : null} />
        <Row term="Burned" at={burnedAt} />
        <Row term={isOver ? 'Expired' : 'Expires'} at={expiresAt} />
      </dl>
    </>
  );
}

function Row({ term, at }: { term: string; at: string | null }) {
  if (at === null) return null;
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        <time dateTime={at}>{timeInWords(at)}</time>
      </dd>
    </div>
  );
}
