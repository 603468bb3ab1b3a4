import { useEffect, useId, useRef } from 'preact/hooks';
import { maxSecretBytes } from '../../client/share/plaintext-format.ts';
import type { ShareProgress } from '../../client/share.ts';
import { PassphraseField } from '../passphrase-field.tsx';
import { Alert, Step, useAnnounce } from '../step.tsx';
import { counted, sizeInWords } from '../words.ts';
import { type Draft, sizeOf } from './draft.ts';
import { FilePicker, useDroppedFiles } from './file-picker.tsx';

export interface CreateFormProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  onSubmit: () => void;
  onCancel: () => void;
  /** Defined while the share is being created. */
  progress: ShareProgress | undefined;
  problem: { text: string } | undefined;
}

const lifetimes = [
  { hours: 1, words: '1 hour' },
  { hours: 24, words: '1 day' },
  { hours: 72, words: '3 days' },
  { hours: 168, words: '7 days' },
];

export function CreateForm({ draft, onChange, onSubmit, onCancel, progress, problem }: CreateFormProps) {
  const submit = useRef<HTMLButtonElement>(null);
  const wasRunning = useRef(false);
  useEffect(() => {
    // The button of the progress had the focus, and is gone. An alert takes the focus itself.
    if (wasRunning.current && progress === undefined && problem === undefined) submit.current?.focus();
    wasRunning.current = progress !== undefined;
  }, [progress, problem]);
  const announce = useAnnounce();
  useDroppedFiles((dropped) => {
    if (progress !== undefined || dropped.length === 0) return;
    onChange({ kind: 'files', files: [...draft.files, ...dropped] });
    announce(`${counted(dropped.length, 'file')} added.`);
  });
  const bytes = sizeOf(draft);
  const isTooLarge = bytes > maxSecretBytes;
  // A file without content is a file all the same.
  const isEmpty = draft.kind === 'text' ? draft.text === '' : draft.files.length === 0;
  return (
    <Step title="Share a secret">
      <p>Your browser encrypts the secret. Anyone with the link can open it, and nobody else can.</p>
      {problem && <Alert key={problem}>{problem.text}</Alert>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isTooLarge && !isEmpty) onSubmit();
        }}
      >
        <fieldset class="plain" disabled={progress !== undefined}>
          <legend class="unseen">The secret</legend>
          <Content draft={draft} onChange={onChange} />
          <p class={isTooLarge ? 'error' : 'note'} role={isTooLarge ? 'alert' : undefined}>
            {isTooLarge
              ? `This is ${sizeInWords(bytes)}. A share holds up to 1 MB (${maxSecretBytes.toLocaleString('en')} bytes).`
              : `${sizeInWords(bytes)} of 1 MB`}
          </p>
          <Options draft={draft} onChange={onChange} />
        </fieldset>
        {progress === undefined ? (
          <div class="actions">
            <button type="submit" ref={submit} disabled={isTooLarge || isEmpty}>
              Create link
            </button>
          </div>
        ) : (
          <Running progress={progress} onCancel={onCancel} />
        )}
      </form>
    </Step>
  );
}

type PartProps = Pick<CreateFormProps, 'draft' | 'onChange'>;

function Content({ draft, onChange }: PartProps) {
  const id = useId();
  return (
    <>
      <fieldset class="choice">
        <legend>What do you want to share?</legend>
        <Choice
          name={`${id}-kind`}
          label="Text"
          isChosen={draft.kind === 'text'}
          onChoose={() => onChange({ kind: 'text' })}
        />
        <Choice
          name={`${id}-kind`}
          label="Files"
          isChosen={draft.kind === 'files'}
          onChoose={() => onChange({ kind: 'files' })}
        />
      </fieldset>
      {draft.kind === 'text' ? (
        <div class="field">
          <label for={id}>Text</label>
          <textarea
            id={id}
            rows={5}
            value={draft.text}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
          />
        </div>
      ) : (
        <FilePicker files={draft.files} onChange={(files) => onChange({ files })} />
      )}
    </>
  );
}

function Options({ draft, onChange }: PartProps) {
  const id = useId();
  return (
    <>
      <fieldset class="choice">
        <legend>How often can it be opened?</legend>
        <Choice
          name={`${id}-often`}
          label="Once"
          isChosen={draft.isOnce}
          onChoose={() => onChange({ isOnce: true })}
        />
        <Choice
          name={`${id}-often`}
          label="Several times"
          isChosen={!draft.isOnce}
          onChoose={() => onChange({ isOnce: false })}
        />
      </fieldset>
      <div class="row">
        {!draft.isOnce && (
          <div class="field">
            <label for={`${id}-views`}>How many times (2 to 100)</label>
            <input
              id={`${id}-views`}
              type="number"
              inputMode="numeric"
              required
              min={2}
              max={100}
              step={1}
              value={draft.maxViews}
              onInput={({ currentTarget }) => onChange({ maxViews: currentTarget.valueAsNumber })}
            />
          </div>
        )}
        <div class="field">
          <label for={`${id}-hours`}>Expires after</label>
          <select
            id={`${id}-hours`}
            value={draft.hours}
            onChange={({ currentTarget }) => onChange({ hours: Number(currentTarget.value) })}
          >
            {lifetimes.map(({ hours, words }) => (
              <option key={hours} value={hours}>
                {words}
              </option>
            ))}
          </select>
        </div>
      </div>
      <PassphraseField
        label="Passphrase (optional)"
        hint="The recipient needs it to open the link. Choose several random words, and send them separately from the link, for example by phone. Nobody can recover a lost passphrase."
        value={draft.passphrase}
        onChange={(passphrase) => onChange({ passphrase })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={draft.hasReceipt}
          onChange={({ currentTarget }) => onChange({ hasReceipt: currentTarget.checked })}
        />
        <span>Create a receipt, which shows when the secret was opened and lets you burn it</span>
      </label>
    </>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ name, label, isChosen, onChoose }: ChoiceProps) {
  return (
    <label>
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>{label}</span>
    </label>
  );
}

/** The progress, in place of the button that started it. */
function Running({ progress, onCancel }: { progress: ShareProgress; onCancel: () => void }) {
  const id = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  const percent = Math.round(progress.fraction * 100);
  return (
    <div class="running">
      <label for={id}>{progress.step === 'encrypting' ? 'Encrypting' : `Uploading, ${percent}%`}</label>
      <progress id={id} max={100} value={progress.step === 'encrypting' ? undefined : percent} />
      <div class="actions">
        <button type="button" class="second" ref={cancel} onClick={onCancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}
