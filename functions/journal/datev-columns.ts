/**
 * The columns of a batch of postings, format version 13, by their published names. A reader goes by the position of a column. Those of texts
 * are quoted, also where they are empty.
 * https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel. Names and order were compared with two public copies of
 * the description.
 */

/** Names with a number from 1 on: `names` for 1, then for 2, and so on. */
const numbered = (count: number, ...names: string[]) =>
  Array.from({ length: count }, (_, at) => names.map((name) => name.replace('#', String(at + 1)))).flat();

/** Names in quotes are of texts. */
const columns = [
  'Umsatz (ohne Soll/Haben-Kz)',
  '"Soll/Haben-Kennzeichen"',
  '"WKZ Umsatz"',
  'Kurs',
  'Basis-Umsatz',
  '"WKZ Basis-Umsatz"',
  'Konto',
  'Gegenkonto (ohne BU-Schlüssel)',
  '"BU-Schlüssel"',
  'Belegdatum',
  '"Belegfeld 1"',
  '"Belegfeld 2"',
  'Skonto',
  '"Buchungstext"',
  'Postensperre',
  '"Diverse Adressnummer"',
  'Geschäftspartnerbank',
  'Sachverhalt',
  'Zinssperre',
  '"Beleglink"',
  ...numbered(8, '"Beleginfo - Art #"', '"Beleginfo - Inhalt #"'),
  '"KOST1 - Kostenstelle"',
  '"KOST2 - Kostenstelle"',
  'Kost-Menge',
  '"EU-Land u. UStID (Bestimmung)"',
  'EU-Steuersatz (Bestimmung)',
  '"Abw. Versteuerungsart"',
  'Sachverhalt L+L',
  'Funktionsergänzung L+L',
  'BU 49 Hauptfunktionstyp',
  'BU 49 Hauptfunktionsnummer',
  'BU 49 Funktionsergänzung',
  ...numbered(20, '"Zusatzinformation - Art #"', '"Zusatzinformation- Inhalt #"'),
  'Stück',
  'Gewicht',
  'Zahlweise',
  '"Forderungsart"',
  'Veranlagungsjahr',
  'Zugeordnete Fälligkeit',
  'Skontotyp',
  '"Auftragsnummer"',
  '"Buchungstyp"',
  'USt-Schlüssel (Anzahlungen)',
  '"EU-Land (Anzahlungen)"',
  'Sachverhalt L+L (Anzahlungen)',
  'EU-Steuersatz (Anzahlungen)',
  'Erlöskonto (Anzahlungen)',
  '"Herkunft-Kz"',
  '"Buchungs GUID"',
  'KOST-Datum',
  '"SEPA-Mandatsreferenz"',
  'Skontosperre',
  '"Gesellschaftername"',
  'Beteiligtennummer',
  '"Identifikationsnummer"',
  '"Zeichnernummer"',
  'Postensperre bis',
  '"Bezeichnung SoBil-Sachverhalt"',
  'Kennzeichen SoBil-Buchung',
  'Festschreibung',
  'Leistungsdatum',
  'Datum Zuord. Steuerperiode',
  'Fälligkeit',
  '"Generalumkehr (GU)"',
  'Steuersatz',
  '"Land"',
  '"Abrechnungsreferenz"',
  'BVV-Position',
  '"EU-Land u. UStID (Ursprung)"',
  'EU-Steuersatz (Ursprung)',
  'Abw. Skontokonto',
];

export const headings = columns.map((column) => column.replaceAll('"', ''));

export const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The cells of a row. Columns that are not given are empty. */
export const rowOf = (cells: Readonly<Record<string, string>>): string[] =>
  columns.map((column, at) => {
    const text = cells[headings[at] ?? ''] ?? '';
    return column.startsWith('"') ? quoted(text) : text;
  });
