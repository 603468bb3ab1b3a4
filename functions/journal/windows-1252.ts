/** Texts in Windows-1252, the character set of DATEV. https://developer.datev.de/datev/platform/de/dtvf/zeichensatz */

/** The characters of the bytes from 0 to 255. Node.js decodes Windows-1252, and does not encode it. */
const characters = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
);
const bytes = new Map([...characters].map((character, byte) => [character, byte]));

/** A line in the characters of Windows-1252: others without their marks, such as o for ő, or else a question mark. */
export const inWindows1252 = (text: string): string =>
  text.normalize('NFC').replaceAll(/[\p{Cc}\P{ASCII}]/gu, (character) => {
    if (isPrintable(character)) return character;
    const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
    return plain !== '' && [...plain].every(isPrintable) ? plain : '?';
  });

const isPrintable = (character: string) => bytes.has(character) && !/\p{Cc}/u.test(character);

export const windows1252 = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => bytes.get(character) ?? 0x3f);
