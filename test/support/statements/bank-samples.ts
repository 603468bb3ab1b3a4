/** Made-up files as banks write them, with the mapping that their user gives, and the rows of the dry run. */

export interface BankSample {
  readonly bank: string;
  readonly format: 'csv' | 'camt.053';
  readonly encoding: 'utf8' | 'latin1';
  /** Lines of the file. `SUB-REFERENCE` is that of a subscription. */
  readonly lines: readonly string[];
  readonly mapping?: object;
  readonly rows: readonly (readonly [
    match: string,
    amount: number,
    valueDate: string,
    payer: string | undefined,
  ])[];
  readonly withdrawals: number;
  readonly notBooked: number;
}

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

/** A document of CAMT.053 of a version, with these entries. */
const document = (version: string, iban: string, entries: readonly string[]) => [
  '<?xml version="1.0" encoding="UTF-8"?>',
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>`,
  `<Stmt><Id>1</Id><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>`,
  ...entries,
  '</Stmt></BkToCstmrStmt></Document>',
];

const deutscheBankCamt: BankSample = {
  bank: 'Deutsche Bank',
  format: 'camt.053',
  encoding: 'utf8',
  lines: document('08', 'DE02120300000000202051', [
    '<Ntry><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>false</RvslInd><Sts><Cd>BOOK</Cd></Sts>',
    '<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt><AcctSvcrRef>NONREF</AcctSvcrRef>',
    '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>NTRF+166</Cd><Issr>DK</Issr></Prtry></BkTxCd>',
    '<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>CRDT</CdtDbtInd>',
    '<RltdPties><Dbtr><Pty><Nm>Bärbel Müller</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct></RltdPties>',
    '<RmtInf><Ustrd>SUB-REFERENCE</Ustrd></RmtInf></TxDtls></NtryDtls><AddtlNtryInf>SEPA-Gutschrift</AddtlNtryInf></Ntry>',
    '<Ntry><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>',
    '<BookgDt><Dt>2026-11-22</Dt></BookgDt><ValDt><Dt>2026-11-22</Dt></ValDt>',
    '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>RPCR</SubFmlyCd></Fmly></Domn></BkTxCd>',
    '<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Bärbel Müller</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct></RltdPties>',
    '<RmtInf><Ustrd>SUB-REFERENCE</Ustrd></RmtInf><RtrInf><Rsn><Cd>FOCR</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>',
    '<Ntry><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><BookgDt><Dt>2026-11-22</Dt></BookgDt></Ntry>',
  ]),
  rows: [
    ['matched', 9.99, '2026-11-20', 'Bärbel Müller'],
    ['reversal', 9.99, '2026-11-22', 'Bärbel Müller'],
  ],
  withdrawals: 0,
  notBooked: 1,
};

const swedbankCamt: BankSample = {
  bank: 'Swedbank',
  format: 'camt.053',
  encoding: 'utf8',
  lines: document('02', 'EE382200221020145685', [
    '<Ntry><NtryRef>2026112000067759</NtryRef><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>',
    '<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt><AcctSvcrRef>2026112000067759</AcctSvcrRef>',
    '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>',
    '<NtryDtls><TxDtls><Refs><AcctSvcrRef>2026112000067759</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId></Refs>',
    '<AmtDtls><TxAmt><Amt Ccy="EUR">9.99</Amt></TxAmt></AmtDtls>',
    '<RltdPties><Dbtr><Nm>MÄRT TAMM</Nm></Dbtr><DbtrAcct><Id><IBAN>EE471000001020145685</IBAN></Id></DbtrAcct></RltdPties>',
    '<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>SUB-REFERENCE</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>',
    '<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-21</Dt></BookgDt></Ntry>',
  ]),
  rows: [['matched', 9.99, '2026-11-20', 'MÄRT TAMM']],
  withdrawals: 1,
  notBooked: 0,
};

export const bankSamples: readonly BankSample[] = [
  deutscheBank,
  sparkasse,
  creditAgricole,
  swedbank,
  ingNl,
  ingDe,
  wise,
  deutscheBankCamt,
  swedbankCamt,
];
