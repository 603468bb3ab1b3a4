import type { BankSample } from './bank-sample.ts';

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

const sparkasseCamt: BankSample = {
  bank: 'Sparkasse',
  format: 'camt.053',
  encoding: 'utf8',
  lines: document('08', 'DE02120300000000202051', [
    '<Ntry><NtryRef>1</NtryRef><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>',
    '<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-19</Dt></ValDt><AcctSvcrRef>2026112012385825000</AcctSvcrRef>',
    '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>NTRF+166+00931</Cd><Issr>DK</Issr></Prtry></BkTxCd>',
    '<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><Amt Ccy="EUR">9.99</Amt>',
    '<RltdPties><Dbtr><Pty><Nm>Jörg Weiß</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>',
    '<Cdtr><Pty><Nm>Beispiel GmbH</Nm></Pty></Cdtr></RltdPties><RltdAgts><DbtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></DbtrAgt></RltdAgts>',
    '<RmtInf><Ustrd>SUB-REFERENCE</Ustrd></RmtInf></TxDtls></NtryDtls><AddtlNtryInf>GUTSCHR. UEBERWEISUNG</AddtlNtryInf></Ntry>',
    '<Ntry><NtryRef>2</NtryRef><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>',
    '<BookgDt><Dt>2026-11-21</Dt></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt><AddtlNtryInf>ENTGELTABSCHLUSS</AddtlNtryInf></Ntry>',
  ]),
  rows: [['matched', 9.99, '2026-11-19', 'Jörg Weiß']],
  withdrawals: 1,
  notBooked: 0,
};

/** The amounts of a collected booking are in its details alone. A transfer of the seller came back. */
const creditAgricoleCamt: BankSample = {
  bank: 'Crédit Agricole',
  format: 'camt.053',
  encoding: 'utf8',
  lines: document('02', 'FR7630006000011234567890189', [
    '<Ntry><Amt Ccy="EUR">1243.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>',
    '<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt><AcctSvcrRef>0001234</AcctSvcrRef>',
    '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>05</Cd><Issr>CFONB</Issr></Prtry></BkTxCd>',
    '<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>',
    '<TxDtls><Refs><EndToEndId>SUB-REFERENCE</EndToEndId></Refs><AmtDtls><InstdAmt><Amt Ccy="EUR">1234.00</Amt></InstdAmt></AmtDtls>',
    '<RltdPties><Dbtr><Nm>ZOE DURAND</Nm></Dbtr></RltdPties><RmtInf><Ustrd>FACTURE NOVEMBRE</Ustrd></RmtInf></TxDtls>',
    '<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><AmtDtls><InstdAmt><Amt Ccy="EUR">9.99</Amt></InstdAmt></AmtDtls>',
    '<RltdPties><Dbtr><Nm>LUC MARTIN</Nm></Dbtr></RltdPties></TxDtls></NtryDtls><AddtlNtryInf>VIREMENTS RECUS</AddtlNtryInf></Ntry>',
    '<Ntry><Amt Ccy="EUR">42.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd><Sts>BOOK</Sts>',
    '<BookgDt><Dt>2026-11-21</Dt></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt>',
    '<NtryDtls><TxDtls><RltdPties><Cdtr><Nm>FOURNISSEUR</Nm></Cdtr></RltdPties><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>',
  ]),
  rows: [
    ['matched', 1234, '2026-11-20', 'ZOE DURAND'],
    ['unknown', 9.99, '2026-11-20', 'LUC MARTIN'],
    ['reversal', 42.5, '2026-11-21', 'FOURNISSEUR'],
  ],
  withdrawals: 0,
  notBooked: 0,
};

const ingCamt: BankSample = {
  bank: 'ING, Netherlands',
  format: 'camt.053',
  encoding: 'utf8',
  lines: document('02', 'NL91INGB0417164300', [
    '<Ntry><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>',
    '<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt><AcctSvcrRef>032500076190</AcctSvcrRef>',
    '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>00100</Cd><Issr>INGBANK</Issr></Prtry></BkTxCd>',
    '<NtryDtls><TxDtls><Refs><InstrId>INNDNL2U20261120000025610002518</InstrId><EndToEndId>NOTPROVIDED</EndToEndId></Refs>',
    '<AmtDtls><TxAmt><Amt Ccy="EUR">9.99</Amt></TxAmt></AmtDtls>',
    '<RltdPties><Dbtr><Nm>J. de Vries</Nm></Dbtr><DbtrAcct><Id><IBAN>NL02RABO0123456789</IBAN></Id></DbtrAcct></RltdPties>',
    '<RltdAgts><DbtrAgt><FinInstnId><BIC>RABONL2U</BIC></FinInstnId></DbtrAgt></RltdAgts><RmtInf><Ustrd>SUB-REFERENCE</Ustrd></RmtInf></TxDtls></NtryDtls>',
    '<AddtlNtryInf>/TRTP/SEPA OVERBOEKING/REMI/SUB-REFERENCE</AddtlNtryInf></Ntry>',
    '<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-21</Dt></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt></Ntry>',
  ]),
  rows: [['matched', 9.99, '2026-11-20', 'J. de Vries']],
  withdrawals: 1,
  notBooked: 0,
};

/** Times instead of days, no value date, and the text of the payer in a sentence of the bank. */
const wiseCamt: BankSample = {
  bank: 'Wise',
  format: 'camt.053',
  encoding: 'utf8',
  lines: document('10', 'BE68539007547034', [
    '<Ntry><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>',
    '<BookgDt><DtTm>2026-11-20T00:47:43.673741123+01:00</DtTm></BookgDt><BkTxCd><Prtry><Cd>TRANSFER-1</Cd></Prtry></BkTxCd>',
    '<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Zoë Ann</Nm></Pty></Dbtr></RltdPties></TxDtls></NtryDtls>',
    '<AddtlNtryInf>Received money from Zoë Ann with reference SUB-REFERENCE</AddtlNtryInf></Ntry>',
    '<Ntry><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>',
    '<BookgDt><DtTm>2026-11-20T08:00:00Z</DtTm></BookgDt><BkTxCd><Prtry><Cd>TRANSFER-2</Cd></Prtry></BkTxCd><AddtlNtryInf>No information</AddtlNtryInf></Ntry>',
    '<Ntry><Amt Ccy="EUR">0.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>',
    '<BookgDt><DtTm>2026-11-21T08:00:00.1Z</DtTm></BookgDt><BkTxCd><Prtry><Cd>FEE-TRANSFER-3</Cd></Prtry></BkTxCd><AddtlNtryInf>Wise Charges for: TRANSFER-3</AddtlNtryInf></Ntry>',
  ]),
  rows: [
    ['matched', 9.99, '2026-11-20', 'Zoë Ann'],
    ['unknown', 9.99, '2026-11-20', undefined],
  ],
  withdrawals: 1,
  notBooked: 0,
};

export const camtSamples: readonly BankSample[] = [
  deutscheBankCamt,
  swedbankCamt,
  sparkasseCamt,
  creditAgricoleCamt,
  ingCamt,
  wiseCamt,
];
