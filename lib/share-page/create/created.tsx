import { generate } from 'lean-qr';
import { useState } from 'preact/hooks';
import type { CreatedShare } from '../../client/share.ts';
import { LinkField } from '../copy.tsx';
import { Step, useLeaveQuestion } from '../step.tsx';
import { timeInWords } from '../words.ts';
import type { Draft } from './draft.ts';

/** Modules of white around the code: ISO/IEC 18004 asks for four. */
const quiet = 4;

/** The QR code of a link: dark on white in both schemes, because not every reader knows the inverse. */
function QrCode({ link }: { link: string }) {
  const code = generate(link);
  const side = code.size + 2 * quiet;
  const rows = Array.from({ length: code.size }, (_, y) =>
    Array.from({ length: code.size }, (_, x) =>
      code.get(x, y) ? `M${x + quiet} ${y + quiet}h1v1h-1z` : '',
    ).join(''),
  );
  return (
    <svg
      class="qr"
      role="img"
      aria-label="QR code of the link"
      viewBox={`0 0 ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
      <path fill="#000" d={rows.join('')} />
    </svg>
  );
}

export interface CreatedProps {
  share: CreatedShare;
  draft: Draft;
  onRestart: () => void;
}

/** The link of a new share, and the ways to pass it on. It is shown once: this page stores it nowhere. */
export function Created({ share, draft, onRestart }: CreatedProps) {
  const { link, receiptLink, expiresAt } = share;
  const [isPassedOn, setPassedOn] = useState(false);
  useLeaveQuestion(!isPassedOn);
  const passOn = async () => {
    try {
      await navigator.share({ url: link });
      setPassedOn(true);
    } catch {
      // The person closed the sheet. The link is still there.
    }
  };
  return (
    <Step title="Your link is ready">
      <p>
        {draft.isOnce ? 'It can be opened once' : `It can be opened ${draft.maxViews} times`}, until{' '}
        <time dateTime={expiresAt}>{timeInWords(expiresAt)}</time>.
        {draft.passphrase !== '' &&
          ' The recipient also needs the passphrase. Send it separately from the link.'}
      </p>
      <LinkField label="Link" what="Link" link={link} isMain onCopied={() => setPassedOn(true)} />
      {'share' in navigator && (
        <button type="button" class="second wide" onClick={passOn}>
          Share…
        </button>
      )}
      <QrCode link={link} />
      {receiptLink !== undefined && (
        <section class="receipt">
          <h2>Receipt</h2>
          <p class="note">
            Keep this link to yourself. It shows when the share was opened, and can burn the share. It cannot
            open the share.
          </p>
          <LinkField label="Receipt link" what="Receipt link" link={receiptLink} />
        </section>
      )}
      <p class="note">This page shows the link only once, and does not store it.</p>
      <p class="more">
        <button type="button" class="plain" onClick={onRestart}>
          Share another secret
        </button>
      </p>
    </Step>
  );
}
