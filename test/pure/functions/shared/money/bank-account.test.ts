import { countrySpecs } from 'ibantools';
import { isIban } from '../../../../../functions/shared/money/bank-account.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countries = letters.flatMap((first) => letters.map((second) => first + second));

/** The form of a country as the package states it; undefined for one without IBANs. */
const formOf = (country: string) => countrySpecs[country]?.bban_regexp ?? undefined;

const isOfForm = (country: string, account: string) =>
  countrySpecs[country]?.chars === account.length + 4 && new RegExp(formOf(country) ?? '').test(account);

/** An account with right check digits. */
function ibanOf(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((one) => Number.parseInt(one, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`;
}

/** An account of this form, and others that differ from it at one place, or in their length. */
function accountsLike(form: string): string[] {
  const plain = form.replaceAll(/[$^]/g, '');
  const account = plain.replaceAll(/\[(.*?)\]\{(\d+)\}/g, (_, characters, count) =>
    (characters === '0-9' ? '1' : 'Z').repeat(Number(count)),
  );
  const others = [...account].flatMap((_, i) =>
    ['0', 'A'].map((one) => account.slice(0, i) + one + account.slice(i + 1)),
  );
  return [account, account.slice(1), `${account}0`, `${account}A`, ...others];
}

test('an IBAN is one where the registry of its country says so, as the package ibantools has it', () => {
  const accounts = countries.flatMap((country) =>
    accountsLike(formOf(country) ?? '[0-9]{18}').map((account) => ({ country, account })),
  );
  const differing = accounts.filter(
    ({ country, account }) => isIban(ibanOf(country, account)) !== isOfForm(country, account),
  );
  expect(differing).toEqual([]);
  expect(countries.filter((country) => formOf(country) !== undefined).length).toBeGreaterThan(90);
});
