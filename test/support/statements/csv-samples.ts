import type { BankSample } from './bank-sample.ts';

const german = { dateFormat: 'DD.MM.YYYY', decimalSeparator: ',', currency: 'EUR' };

const deutscheBank: BankSample = {
  bank: 'Deutsche Bank',
  format: 'csv',
  encoding: 'latin1',
  lines: [
    'Umsätze',
    'Konto;Filial-/Kontonummer;IBAN;Währung',
    'AktivKonto;100 1234567 00;DE02120300000000202051;EUR',
    '',
    '20.11.2026 - 22.11.2026',
    'Letzter Kontostand;;;;2.014,08;EUR',
    'Vorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.',
    'Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung',
    '20.11.2026;2.11.2026;SEPA Überweisung;Bärbel Müller;SUB-REFERENCE;DE89370400440532013000;;NOTPROVIDED;;;;1.009,99;;;;;1.009,99;EUR',
    '21.11.2026;21.11.2026;SEPA Überweisung;Vermieter;Miete;DE75512108001245126199;;NOTPROVIDED;;;;-2.000;;;;-2.000;;EUR',
    'Kontostand;22.11.2026;;;29,93;EUR',
  ],
  mapping: Object.assign({}, german, {
    amounts: 'credits',
    columns: {
      date: 'Wert',
      amount: 'Haben',
      currency: 'Währung',
      reference: ['Verwendungszweck', 'Kundenreferenz'],
      name: 'Begünstigter / Auftraggeber',
      iban: 'IBAN / Kontonummer',
    },
  }),
  rows: [['matched', 1009.99, '2026-11-02', 'Bärbel Müller']],
  // The line of the balance has a date and no credit.
  withdrawals: 2,
  notBooked: 0,
};

const sparkasse: BankSample = {
  bank: 'Sparkasse',
  format: 'csv',
  encoding: 'latin1',
  lines: [
    '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"',
    '"DE02120300000000202051";"20.11.26";"20.11.26";"GUTSCHR. UEBERWEISUNG";"SUB-REFERENCE ";"";"";"";"";"";"";"Jörg Weiß";"DE89370400440532013000";"COBADEFFXXX";"9,99";"EUR";"Umsatz gebucht"',
    '"DE02120300000000202051";"21.11.26";"21.11.26";"LASTSCHRIFT";"Miete";"";"";"";"";"";"";"Wohnbau";"DE75512108001245126199";"";"-1.335,00";"EUR";"Umsatz gebucht"',
    '"DE02120300000000202051";"22.11.26";"22.11.26";"GUTSCHR. UEBERWEISUNG";"SUB-REFERENCE";"";"";"";"";"";"";"Jörg Weiß";"DE89370400440532013000";"";"9,99";"EUR";"Umsatz vorgemerkt"',
  ],
  mapping: Object.assign({}, german, {
    columns: {
      date: 'Valutadatum',
      amount: 'Betrag',
      currency: 'Waehrung',
      reference: ['Verwendungszweck', 'Kundenreferenz (End-to-End)'],
      name: 'Beguenstigter/Zahlungspflichtiger',
      iban: 'Kontonummer/IBAN',
      status: 'Info',
    },
  }),
  rows: [['matched', 9.99, '2026-11-20', 'Jörg Weiß']],
  withdrawals: 1,
  notBooked: 1,
};

const creditAgricole: BankSample = {
  bank: 'Crédit Agricole',
  format: 'csv',
  encoding: 'latin1',
  lines: [
    'Téléchargement du 22/11/2026;',
    '',
    'MME DURAND ZOE',
    'Compte de Dépôt carte n° 00000000000;',
    'Solde au 22/11/2026 1 000,00',
    '',
    'Liste des opérations du compte entre le 01/11/2026 et le 22/11/2026;',
    '',
    'Date;Libellé;Débit euros;Crédit euros;',
    '21/11/2026;"Paiement par carte',
    'X1234 EXEMPLE 20/11',
    '',
    '";42,50;;',
    '20/11/2026;"Virement en votre faveur',
    'ZOE DURAND SUB-REFERENCE',
    '',
    '";;1\u00a0234,00;',
  ],
  mapping: {
    columns: { date: 'Date', amount: 'Crédit euros', reference: ['Libellé'] },
    amounts: 'credits',
    dateFormat: 'DD/MM/YYYY',
    decimalSeparator: ',',
    currency: 'EUR',
  },
  rows: [['matched', 1234, '2026-11-20', undefined]],
  withdrawals: 1,
  notBooked: 0,
};

const swedbank: BankSample = {
  bank: 'Swedbank',
  format: 'csv',
  encoding: 'utf8',
  lines: [
    '"Kliendi konto";"Reatüüp";"Kuupäev";"Saaja/Maksja";"Selgitus";"Summa";"Valuuta";"Deebet/Kreedit";"Arhiveerimistunnus";"Tehingu tüüp";"Viitenumber";"Dokumendi number";',
    '"EE382200221020145685";"10";"20.11.2026";"";"Algsaldo";"100,00";"EUR";"K";"";"AS";"";"";',
    '"EE382200221020145685";"20";"20.11.2026";"MÄRT TAMM | EE471000001020145685";"SUB-REFERENCE";"9,99";"EUR";"K";"2026112000067759";"MK";"";"";',
    '"EE382200221020145685";"20";"21.11.2026";"POOD OÜ";"Arve 12";"5,00";"EUR";"D";"2026112100067760";"MK";"";"";',
    '"EE382200221020145685";"82";"21.11.2026";"";"Käive";"9,99";"EUR";"K";"";"K2";"";"";',
    '"EE382200221020145685";"86";"21.11.2026";"";"lõppsaldo";"104,99";"EUR";"K";"";"LS";"";"";',
  ],
  mapping: {
    columns: {
      date: 'Kuupäev',
      amount: 'Summa',
      currency: 'Valuuta',
      reference: ['Selgitus', 'Viitenumber'],
      name: 'Saaja/Maksja',
      id: 'Arhiveerimistunnus',
      direction: 'Deebet/Kreedit',
      // Balances and turnovers are rows of other types.
      status: 'Reatüüp',
    },
    bookedValues: ['20'],
    dateFormat: 'DD.MM.YYYY',
    decimalSeparator: ',',
  },
  rows: [['matched', 9.99, '2026-11-20', 'MÄRT TAMM | EE471000001020145685']],
  withdrawals: 1,
  notBooked: 3,
};

const ingNl: BankSample = {
  bank: 'ING, Netherlands',
  format: 'csv',
  encoding: 'utf8',
  lines: [
    '"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"',
    '"20261120";"J. de Vries";"NL91INGB0417164300";"NL02RABO0123456789";"OV";"Bij";"9,99";"Overschrijving";"Naam: J. de Vries Omschrijving: SUB-REFERENCE IBAN: NL02RABO0123456789 Valutadatum: 20-11-2026";"109,99";""',
    '"20261121";"Winkel";"NL91INGB0417164300";"";"BA";"Af";"5,00";"Betaalautomaat";"Pasvolgnr: 001";"104,99";""',
  ],
  mapping: {
    columns: {
      date: 'Datum',
      amount: 'Bedrag (EUR)',
      reference: ['Mededelingen'],
      name: 'Naam / Omschrijving',
      iban: 'Tegenrekening',
      direction: 'Af Bij',
    },
    dateFormat: 'YYYYMMDD',
    decimalSeparator: ',',
    currency: 'EUR',
  },
  rows: [['matched', 9.99, '2026-11-20', 'J. de Vries']],
  withdrawals: 1,
  notBooked: 0,
};

const ingDe: BankSample = {
  bank: 'ING, Germany',
  format: 'csv',
  encoding: 'latin1',
  lines: [
    'Umsatzanzeige;Datei erstellt am: 22.11.2026 10:00',
    '',
    'IBAN;DE02 1203 0000 0000 2020 51',
    'Kontoname;Girokonto',
    'Bank;ING',
    'Kunde;Beispiel GmbH',
    'Zeitraum;01.11.2026 - 22.11.2026',
    'Saldo;2.776,45;EUR',
    '',
    'Sortierung;Datum absteigend',
    '',
    'In der CSV-Datei finden Sie alle bereits gebuchten Umsätze. Die vorgemerkten Umsätze werden nicht aufgenommen.',
    '',
    'Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung',
    '21.11.2026;21.11.2026;Händler;Lastschrift;Rechnung 12;2.776,45;EUR;-119,00;EUR',
    '20.11.2026;20.11.2026;Käthe Groß;Gutschrift;SUB-REFERENCE;2.895,45;EUR;1.190,00;EUR',
  ],
  mapping: Object.assign({}, german, {
    columns: {
      date: 'Wertstellungsdatum',
      amount: 'Betrag',
      currency: 'Währung',
      reference: ['Verwendungszweck'],
      name: 'Auftraggeber/Empfänger',
    },
  }),
  rows: [['matched', 1190, '2026-11-20', 'Käthe Groß']],
  withdrawals: 1,
  notBooked: 0,
};

const wise: BankSample = {
  bank: 'Wise',
  format: 'csv',
  encoding: 'utf8',
  lines: [
    '"TransferWise ID",Date,"Date Time",Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To","Exchange Rate","Payer Name","Payee Name","Payee Account Number",Merchant,"Card Last Four Digits","Card Holder Full Name",Attachment,Note,"Total fees","Exchange To Amount","Transaction Type","Transaction Details Type"',
    'TRANSFER-1,20-11-2026,"20-11-2026 08:00:00.000",9.99,EUR,"Received money from Zoë Ann with reference SUB-REFERENCE","SUB-REFERENCE",109.99,,,,"Zoë Ann",,,,,,,,0.00,,CREDIT,DEPOSIT',
    'CARD-2,21-11-2026,"21-11-2026 08:00:00.000",-5.00,EUR,"Card transaction",,104.99,,,,,,,Shop,1234,"Max Muster",,,0.00,,DEBIT,CARD',
  ],
  mapping: {
    columns: {
      date: 'Date',
      amount: 'Amount',
      currency: 'Currency',
      reference: ['Payment Reference', 'Description'],
      name: 'Payer Name',
      id: 'TransferWise ID',
    },
    dateFormat: 'DD/MM/YYYY',
  },
  rows: [['matched', 9.99, '2026-11-20', 'Zoë Ann']],
  withdrawals: 1,
  notBooked: 0,
};

/** The history of transactions, which is another file than the statement. Its amounts have no sign. */
const wiseHistory: BankSample = {
  bank: 'Wise, history',
  format: 'csv',
  encoding: 'utf8',
  lines: [
    'ID,Status,Direction,"Created on","Finished on","Source fee amount","Source fee currency","Target fee amount","Target fee currency","Source name","Source amount (after fees)","Source currency","Target name","Target amount (after fees)","Target currency","Exchange rate",Reference,Batch,"Created by",Category,Note',
    'TRANSFER-1,COMPLETED,IN,"2026-11-19 09:00:00","2026-11-20 09:01:30",,,,,"Zoë Ann",9.99,EUR,"Beispiel GmbH",9.99,EUR,1.0,SUB-REFERENCE,,,,',
    'TRANSFER-2,COMPLETED,OUT,"2026-11-20 14:20:05","2026-11-20 14:23:11",0.45,EUR,,,"Beispiel GmbH",5.00,EUR,Shop,5.00,EUR,1.0,Rent,,,,',
    'TRANSFER-3,CANCELLED,IN,"2026-11-20 15:00:00","",,,,,"Zoë Ann",9.99,EUR,"Beispiel GmbH",9.99,EUR,1.0,SUB-REFERENCE,,,,',
  ],
  mapping: {
    columns: {
      date: 'Finished on',
      amount: 'Target amount (after fees)',
      currency: 'Target currency',
      reference: ['Reference'],
      name: 'Source name',
      id: 'ID',
      direction: 'Direction',
      status: 'Status',
    },
    dateFormat: 'YYYY-MM-DD',
  },
  rows: [['matched', 9.99, '2026-11-20', 'Zoë Ann']],
  withdrawals: 1,
  notBooked: 1,
};

export const csvSamples: readonly BankSample[] = [
  deutscheBank,
  sparkasse,
  creditAgricole,
  swedbank,
  ingNl,
  ingDe,
  wise,
  wiseHistory,
];
