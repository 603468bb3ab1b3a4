import { useEffect, useRef, useState } from 'preact/hooks';
import { defined } from '../../../functions/shared/contract/defined.ts';
import type { CreatedShare, ShareProgress } from '../../client/share.ts';
import type { PageProps } from '../page-props.ts';
import { useAnnounce, useLeaveQuestion } from '../step.tsx';
import { problemInWords } from '../words.ts';
import { CreateForm } from './create-form.tsx';
import { Created } from './created.tsx';
import { contentOf, type Draft, emptyDraft } from './draft.ts';

/** Creates a share: the form, its progress, and the link. */
export function CreatePage({ client, pageUrl }: PageProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const [progress, setProgress] = useState<ShareProgress>();
  const [problem, setProblem] = useState<{ text: string }>();
  const [created, setCreated] = useState<CreatedShare>();
  const announce = useAnnounce();
  // State is set after the event; the second click of a double click comes before.
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  useLeaveQuestion(progress !== undefined);

  const create = async () => {
    if (running.current !== undefined) return;
    const controller = new AbortController();
    running.current = controller;
    setProblem(undefined);
    setProgress({ step: 'encrypting', fraction: 0 });
    announce('Encrypting');
    const onProgress = (next: ShareProgress) => {
      setProgress((before) => {
        if (before?.step !== next.step && next.step === 'uploading') announce('Uploading');
        return next;
      });
    };
    try {
      const content = await contentOf(draft);
      setCreated(
        await client.create(content, {
          ...defined({
            passphrase: draft.passphrase === '' ? undefined : draft.passphrase,
            maxViews: draft.isOnce ? undefined : draft.maxViews,
          }),
          oneTime: draft.isOnce,
          expiresInHours: draft.hours,
          receipt: draft.hasReceipt,
          pageUrl,
          signal: controller.signal,
          onProgress,
        }),
      );
    } catch (error) {
      if (controller.signal.aborted) announce('Cancelled. No link was created.');
      else setProblem({ text: wordsOf(error) });
    } finally {
      running.current = undefined;
      setProgress(undefined);
    }
  };
  const restart = () => {
    setDraft(emptyDraft);
    setCreated(undefined);
  };

  if (created !== undefined) return <Created share={created} draft={draft} onRestart={restart} />;
  return (
    <CreateForm
      draft={draft}
      onChange={(change) => setDraft((before) => Object.assign({}, before, change) satisfies Draft)}
      onSubmit={create}
      onCancel={() => running.current?.abort()}
      progress={progress}
      problem={problem}
    />
  );
}

function wordsOf(error: unknown): string {
  // A file that was moved, changed or may not be read, or a folder that was dropped.
  if (error instanceof DOMException)
    return 'A file could not be read. Remove it, and choose it again. Put a folder into an archive first.';
  return problemInWords(error, 'What you entered is still here. Try again in a moment.');
}
