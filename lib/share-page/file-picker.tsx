import { useId, useRef, useState } from 'preact/hooks';
import { useAnnounce } from './step.tsx';
import { counted, sizeInWords } from './words.ts';

export interface FilePickerProps {
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
}

/** Files, chosen or dropped. Each can be removed again. */
export function FilePicker({ files, onChange }: FilePickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const announce = useAnnounce();
  const add = (added: FileList | null | undefined) => {
    if (!added?.length) return;
    onChange([...files, ...added]);
    announce(`${counted(added.length, 'file')} added.`);
  };
  const remove = (file: File) => {
    onChange(files.filter((one) => one !== file));
    announce(`${file.name} removed.`);
    // The button that had the focus is gone.
    input.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut of the field inside, not a control.
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer?.files);
      }}
    >
      <label for={id}>Files</label>
      <input
        id={id}
        ref={input}
        type="file"
        multiple
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          add(currentTarget.files);
          // The same file can be chosen again after it was removed.
          currentTarget.value = '';
        }}
      />
      <p class="note" id={`${id}-hint`}>
        Choose them, or drop them here. Names and types are encrypted too.
      </p>
      {files.length > 0 && (
        <ul class="files" aria-label="Chosen files">
          {files.map((file) => (
            <li key={file}>
              <span>
                {file.name} <span class="note">{sizeInWords(file.size)}</span>
              </span>
              <button
                type="button"
                class="plain"
                aria-label={`Remove ${file.name}`}
                onClick={() => remove(file)}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
