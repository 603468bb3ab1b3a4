/**
 * The script of the page, which every browser runs as it is written here. Without it the page has all its content; with
 * it, it filters, copies examples and fills in the address of the API.
 */
export const script = `
const api = document.getElementById('api');
api.textContent = 'api=' + new URL('.', location.href).href.replace(/\\/$/, '');
const status = document.getElementById('status');
const search = document.getElementById('search');
const links = [...document.querySelectorAll('nav li')];
const operations = new Map([...document.querySelectorAll('[data-operation]')].map((one) => [one.id, one]));
const texts = new Map([...operations].map(([id, one]) => [id, (id + ' ' + one.textContent).toLowerCase()]));
const groups = [...document.querySelectorAll('[data-group]')];
function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const [id, one] of operations) {
    one.hidden = !words.every((word) => texts.get(id).includes(word));
    if (!one.hidden) count += 1;
  }
  for (const link of links) link.hidden = operations.get(link.dataset.of)?.hidden ?? false;
  for (const group of groups) {
    const own = [...group.querySelectorAll('[data-operation], li[data-of]')];
    group.hidden = own.length > 0 && own.every((one) => one.hidden);
  }
  status.textContent = words.length === 0 ? '' : count === 1 ? '1 operation' : count + ' operations';
}
search.addEventListener('input', filter);
search.parentElement.hidden = false;
addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest('[hidden]') == null) return;
  search.value = '';
  filter();
  target.scrollIntoView();
});
if (navigator.clipboard) {
  for (const example of document.querySelectorAll('pre.curl')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', 'Copy the example of ' + example.dataset.of);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(example.textContent);
      status.textContent = 'Copied';
    });
    example.after(button);
  }
}
filter();
`;
