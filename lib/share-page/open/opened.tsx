import { useId, useRef, useState } from 'preact/hooks';
import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import type { OpenedShare } from '../../client/share.ts';
import { useCopy } from '../copy.tsx';
import { Step, useAnnounce, useLeaveQuestion } from '../step.tsx';
import { counted, sizeInWords, timeInWords } from '../words.ts';

export interface OpenedProps {
  share: OpenedShare;
  pageUrl: string;
}

/** The content of a share. It is in the memory of this page alone. */
export function Opened({ share, pageUrl }: OpenedProps) {
  useLeaveQuestion(true);
  return (
    <Step
      title={share.kind === 'text' ? 'Here is the secret' : `${counted(share.files.length, 'file')} for you`}
    >
      <p>
        Shared on <time dateTime={share.createdAt}>{timeInWords(share.createdAt)}</time>. Save what you need
        before you leave this page: the share may not open again.
      </p>
      {share.kind === 'text' ? <SecretText text={share.text} /> : <Files files={share.files} />}
      <p class="more">
        <a href={pageUrl}>Share a secret of your own</a>
      </p>
    </Step>
  );
}

/** The text, hidden until it is asked for: somebody may be looking over the shoulder. Copying does not show it. */
function SecretText({ text }: { text: string }) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const shown = useRef<HTMLPreElement>(null);
  const copy = useCopy(() => {
    setShown(true);
    // After the text is on the page.
    requestAnimationFrame(() => {
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
    });
  });
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => copy(text, 'Text')}>
          Copy text
        </button>
        <button
          type="button"
          class="second"
          aria-expanded={isShown}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide text' : 'Show text'}
        </button>
      </div>
      <section id={id} aria-label="The text">
        {isShown && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also with the keyboard.
          <pre ref={shown} class="secret" tabIndex={0}>
            {text}
          </pre>
        )}
      </section>
    </>
  );
}

type SharedFile = Extract<OpenedShare, { kind: 'files' }>['files'][number];

function Files({ files }: { files: readonly SharedFile[] }) {
  const announce = useAnnounce();
  return (
    <>
      <ul class="files">
        {files.map((file) => (
          <li key={file}>
            <span>
              {file.name} <span class="note">{sizeInWords(file.bytes.length)}</span>
            </span>
            <button
              type="button"
              class="second"
              aria-label={`Download ${file.name}`}
              onClick={() => {
                download(file);
                announce(`${file.name} downloaded.`);
              }}
            >
              Download
            </button>
          </li>
        ))}
      </ul>
      <p class="note">Open files only from people you trust.</p>
    </>
  );
}

/** How long the browser has to start a download before its address is revoked. */
const startMs = 10 * secondMs;

/**
 * Hands a file to the browser's downloads. Its type is not that of the sender: a page opened from a blob would run as one of
 * this site.
 */
function download({ name, bytes }: SharedFile): void {
  const url = URL.createObjectURL(
    new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), startMs);
}
