import { useId, useRef } from 'preact/hooks';
import { useAnnounce } from './step.tsx';

/** Copies a text, and says so. @param onRefused when the browser does not let the page write to the clipboard. */
export function useCopy(onRefused: () => void) {
  const announce = useAnnounce();
  return async (text: string, what: string) => {
    try {
      await navigator.clipboard.writeText(text);
      announce(`${what} copied.`);
      return true;
    } catch {
      onRefused();
      announce(`The browser did not allow the page to copy. ${what} selected: copy it with the keyboard.`);
      return false;
    }
  };
}

export interface LinkFieldProps {
  label: string;
  link: string;
  /** Names the button: "Copy link". */
  what: string;
  onCopied?: () => void;
  /** The main button of the step. */
  isMain?: boolean;
}

/** A link to be copied. It is a field, so that it can be selected on every device. */
export function LinkField({ label, link, what, onCopied, isMain = false }: LinkFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = useCopy(() => field.current?.select());
  const copied = async () => {
    if (await copy(link, what)) onCopied?.();
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        class="link"
        rows={3}
        readOnly
        spellcheck={false}
        value={link}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onCopy={() => onCopied?.()}
      />
      <button type="button" class={isMain ? '' : 'second'} onClick={copied}>
        Copy {what.charAt(0).toLowerCase() + what.slice(1)}
      </button>
    </div>
  );
}
