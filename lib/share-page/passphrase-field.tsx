import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

export interface PassphraseFieldProps {
  label: string;
  hint: ComponentChildren;
  value: string;
  onChange: (value: string) => void;
  isRequired?: boolean;
  /** The problem of the value. The field takes the focus when it changes. */
  error?: { text: string } | undefined;
}

/** A passphrase, hidden until it is asked for. Password managers are told to leave it: it belongs to no account. */
export function PassphraseField({ label, hint, value, onChange, isRequired, error }: PassphraseFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (error === undefined) return;
    field.current?.focus();
    field.current?.select();
  }, [error]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="joined">
        <input
          id={id}
          ref={field}
          type={(isShown ? 'text' : 'password') as 'password'}
          value={value}
          required={isRequired === true}
          maxLength={1_000}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          data-1p-ignore
          aria-invalid={error === undefined ? undefined : 'true'}
          aria-describedby={error === undefined ? `${id}-hint` : `${id}-error ${id}-hint`}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <button
          type="button"
          class="second"
          aria-label={isShown ? 'Hide the passphrase' : 'Show the passphrase'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
      {error && (
        <p class="error" id={`${id}-error`} role="alert">
          {error.text}
        </p>
      )}
      <p class="note" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
