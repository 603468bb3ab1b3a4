const maxCharacters = 120;
const maxExtensionCharacters = 16;

/**
 * A name under which a file of a stranger can be shown and stored: no path, no control characters, no characters that
 * change the direction of text (`exe.txt` written backwards), no characters and names that Windows reserves.
 *
 * @returns `file` when nothing of the name is left.
 */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\uFEFF\u200B]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^\s+|[\s.]+$/g, '');
  // Names of devices on Windows, with any extension.
  const free = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain) ? `_${plain}` : plain;
  return shortened(free) || 'file';
}

/** Keeps the extension: it says what the file is. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= maxCharacters) return name;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot <= maxExtensionCharacters ? characters.slice(dot) : [];
  return [...characters.slice(0, maxCharacters - extension.length), ...extension].join('');
}
