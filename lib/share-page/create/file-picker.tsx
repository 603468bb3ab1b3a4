import { useEffect, useId, useRef } from 'preact/hooks';
import { useAnnounce } from '../step.tsx';
import { counted, sizeInWords } from '../words.ts';

export interface FilePickerProps {
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
}

/** Files, chosen or dropped. Each can be removed again. */
export function FilePicker({ files, onChange }: FilePickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const announce = useAnnounce();
  // The browser shows beside its button what the field holds. Left alone, that would be the last choice, or nothing.
  const show = () => {
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    if (input.current) input.current.files = transfer.files;
  };
  useEffect(show, [files]);
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
    <div class="drop">
      <label for={id}>Files</label>
      <input
        id={id}
        ref={input}
        type="file"
        multiple
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          // A choice that is cancelled empties the field.
          if (currentTarget.files?.length) add(currentTarget.files);
          else show();
        }}
      />
      <p class="note" id={`${id}-hint`}>
        Choose files, or drop them on this page. Their names and types are encrypted too.
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

/**
 * Takes files that are dropped anywhere on the page. Left to the browser, it would open the file in place of the page, and
 * what was entered would be lost.
 */
export function useDroppedFiles(onDrop: (files: readonly File[]) => void): void {
  const current = useRef(onDrop);
  current.current = onDrop;
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      current.current([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
}
