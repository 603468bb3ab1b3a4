/** File systems take 255 bytes of UTF-8 (ext4) or 255 UTF-16 units (NTFS): this leaves room for a number such as ` (2)`. */
const maxBytes = 200;
const maxExtensionCharacters = 16;

/** Names of devices on Windows, with any extension. https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const device = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[\d\u00B9\u00B2\u00B3])\s*(\.|$)/i;
/** A dash begins an option of the next program: `rm *`. Explorer obeys the two files, whoever made them. */
const obeyed = /^(-|(desktop\.ini|autorun\.inf)$)/i;
/** Format characters, such as those that change the direction of text; not the joiners of emoji and of some scripts. */
const invisible = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A name under which a file of a stranger can be shown and stored: no path, no control characters, no characters that
 * change the direction of text (`exe.txt` written backwards), no characters and names that Windows reserves, no dash in front, at
 * most 200 bytes of UTF-8.
 *
 * @returns `file` when nothing of the name is left.
 */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(invisible, '')
    .replace(/[<>:"|?*]/g, '_')
    .normalize('NFC')
    .replace(/^\s+/, '');
  const free = shortened(plain);
  if (!/[^\u200C\u200D]/.test(free)) return 'file';
  return device.test(free) || obeyed.test(free) ? shortened(`_${free}`) : free;
}

/** At most `maxBytes` of a name, without dots and spaces at its end, which Windows removes. */
const shortened = (name: string) => cut(name).replace(/[\s.]+$/, '');

/** Keeps the extension: it says what the file is. */
function cut(name: string): string {
  const characters = Array.from(name);
  if (bytesOf(characters) <= maxBytes) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= maxExtensionCharacters ? characters.slice(dot) : [];
  const stem = characters.slice(0, characters.length - extension.length);
  let left = maxBytes - bytesOf(extension);
  const end = stem.findIndex((character) => {
    left -= bytesOf([character]);
    return left < 0;
  });
  return [...stem.slice(0, end), ...extension].join('');
}

const bytesOf = (characters: readonly string[]) => new TextEncoder().encode(characters.join('')).length;
