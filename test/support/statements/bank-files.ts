/** Bank statements that tests write. */

export interface XmlEntry {
  amount?: string;
  currency?: string;
  indicator?: string;
  date?: string;
  text?: string;
  name?: string;
  iban?: string;
  /** The bank's id of the entry; none by default. */
  bankId?: string;
  reversal?: boolean;
  endToEndId?: string;
  /** The sub-family of its bank transaction code, such as RRTN. */
  subFamily?: string;
  /** The code of the reason for which it is returned, such as AC04. */
  returnReason?: string;
  /** The creditor, whom some banks name of money that goes back. */
  creditor?: { name: string; iban: string };
}

/** An entry of CAMT.053. Texts are XML. */
export const entryXml = (entry: XmlEntry = {}): string => wholeXml(entry, [transactionXml(entry)]);

/** An entry with several transactions, each with its amount and its sign. */
export const batchXml = (whole: XmlEntry, parts: readonly XmlEntry[]): string =>
  wholeXml(
    whole,
    parts.map((part) => transactionXml(part, amountXml(part))),
  );

const element = (tag: string, content: string | undefined) =>
  content === undefined ? '' : `<${tag}>${content}</${tag}>`;

const amountXml = ({ amount = '19.99', currency = 'EUR', indicator = 'CRDT' }: XmlEntry) =>
  `<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>`;

function wholeXml(entry: XmlEntry, transactions: readonly string[]): string {
  const { date = '2026-11-20', bankId, reversal, subFamily } = entry;
  return [
    `<Ntry>${amountXml(entry)}`,
    element('RvslInd', reversal === undefined ? undefined : String(reversal)),
    `<Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date}</Dt></ValDt>`,
    element('AcctSvcrRef', bankId),
    subFamily === undefined
      ? ''
      : `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn></BkTxCd>`,
    `<NtryDtls>${transactions.join('')}</NtryDtls></Ntry>`,
  ].join('');
}

/** @param amount stated of the transaction, beside that of its entry. */
function transactionXml(entry: XmlEntry, amount = ''): string {
  const { text = 'Danke', name = 'Ada Lovelace', iban, endToEndId, returnReason, creditor } = entry;
  return [
    '<TxDtls>',
    endToEndId === undefined ? '' : `<Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>`,
    `${amount}<RltdPties><Dbtr><Nm>${name}</Nm></Dbtr>`,
    iban === undefined ? '' : `<DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct>`,
    creditor === undefined
      ? ''
      : `<Cdtr><Nm>${creditor.name}</Nm></Cdtr><CdtrAcct><Id><IBAN>${creditor.iban}</IBAN></Id></CdtrAcct>`,
    `</RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf>`,
    returnReason === undefined ? '' : `<RtrInf><Rsn><Cd>${returnReason}</Cd></Rsn></RtrInf>`,
    '</TxDtls>',
  ].join('');
}

/** A document of CAMT.053 with these entries. */
export function camt(
  entries: readonly string[],
  { declaration = '<?xml version="1.0" encoding="UTF-8"?>', account = 'DE02120300000000202051' } = {},
): string {
  return `${declaration}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
}

export const asFile = (content: string | Uint8Array): string => Buffer.from(content).toString('base64');
