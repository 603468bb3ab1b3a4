import { useEffect, useRef, useState } from 'preact/hooks';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { type OpenedShare, ShareError } from '../../client/share.ts';
import type { PageProps } from '../page-props.ts';
import { PassphraseField } from '../passphrase-field.tsx';
import { Gone, Incomplete, KeySeen, NotDecrypted } from '../problems.tsx';
import { Alert, Step, useAnnounce, useLeaveQuestion } from '../step.tsx';
import type { Visit } from '../visit.ts';
import { problemInWords } from '../words.ts';
import { Opened } from './opened.tsx';

export interface OpenPageProps extends PageProps {
  visit: Extract<Visit, { name: 'open' }>;
}

type Ending = { name: 'opened'; share: OpenedShare } | { name: 'gone' | 'incomplete' | 'not-decrypted' };

const unanswered =
  'The request may have opened the share. A share that opens only once is then deleted. Try again. If there is nothing to open, ask the sender for a new link.';

/** The opening of a share: its outcome, and the problem of the last attempt. */
function useOpening({ client, visit }: Pick<OpenPageProps, 'client' | 'visit'>) {
  const [ending, setEnding] = useState<Ending>();
  const [isRunning, setRunning] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [wrong, setWrong] = useState<{ text: string }>();
  const [problem, setProblem] = useState<{ text: string }>();
  const announce = useAnnounce();
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  // A share that opens once would be used up, and its content lost on the way.
  useLeaveQuestion(isRunning);

  const open = async (passphrase: string) => {
    if (running.current !== undefined) return;
    setWrong(undefined);
    setProblem(undefined);
    // Sent now, the request could not arrive, and the person could not tell.
    if (!navigator.onLine) {
      setProblem({
        text: 'You are offline. Nothing was sent, and nothing was opened. Try again when you are online.',
      });
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setAsked(true);
    announce(visit.needsPassphrase ? 'Checking the passphrase' : 'Opening', true);
    try {
      const share = await client.open(visit.link, {
        ...defined({ passphrase: visit.needsPassphrase ? passphrase : undefined }),
        signal: controller.signal,
      });
      setEnding({ name: 'opened', share });
    } catch (error) {
      announce('');
      const next = endingOf(error);
      if (next !== undefined) setEnding(next);
      else if (error instanceof ShareError && error.code === 'wrong_passphrase')
        setWrong({ text: 'This passphrase is wrong. Nothing was opened or deleted. Try again.' });
      else setProblem({ text: problemInWords(error, unanswered) });
    } finally {
      running.current = undefined;
      setRunning(false);
    }
  };
  return { ending, isRunning, isAsked, wrong, problem, open };
}

/** Opens a share, after a click. */
export function OpenPage({ client, pageUrl, visit }: OpenPageProps) {
  const [passphrase, setPassphrase] = useState('');
  const { ending, isRunning, isAsked, wrong, problem, open } = useOpening({ client, visit });

  switch (ending?.name) {
    case 'opened':
      return <Opened share={ending.share} pageUrl={pageUrl} />;
    case 'gone':
      return <Gone pageUrl={pageUrl} />;
    case 'incomplete':
      return <Incomplete pageUrl={pageUrl} />;
    case 'not-decrypted':
      return <NotDecrypted pageUrl={pageUrl} />;
  }
  return (
    <Step title="Someone shared a secret with you">
      <p>
        It may open <strong>only once</strong>, and is then deleted. Open it when you have time to read it and
        to save what you need.
      </p>
      {problem && <Alert key={problem}>{problem.text}</Alert>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open(passphrase);
        }}
      >
        {visit.needsPassphrase && (
          <PassphraseField
            label="Passphrase"
            hint="The sender gives it to you separately from the link. A wrong passphrase opens nothing and deletes nothing."
            value={passphrase}
            onChange={setPassphrase}
            isRequired
            error={wrong}
          />
        )}
        <div class="actions">
          <button type="submit" aria-disabled={isRunning}>
            {isRunning ? 'Opening…' : 'Open secret'}
          </button>
        </div>
      </form>
      {visit.keyWasSent && <KeySeen />}
      {!isAsked && !visit.keyWasSent && (
        <p class="note after">Nothing has been requested yet. The key stays in this browser.</p>
      )}
    </Step>
  );
}

/** The step that an error leads to; undefined for one after which the person can try again. */
function endingOf(error: unknown): Ending | undefined {
  if (!(error instanceof ShareError)) return undefined;
  switch (error.code) {
    case 'share_gone':
      return { name: 'gone' };
    case 'invalid_key':
    case 'invalid_link':
      return { name: 'incomplete' };
    case 'not_decrypted':
      // The service refused the key itself, so it handed out nothing.
      return { name: error.status === 403 ? 'incomplete' : 'not-decrypted' };
    case 'invalid_payload':
    case 'not_text':
      return { name: 'not-decrypted' };
    default:
      return undefined;
  }
}
