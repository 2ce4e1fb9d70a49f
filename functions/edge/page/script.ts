import { searchScript } from './search.ts';

/** Script of the page: the filter of the contents, the language of the samples and the reader's property. */
export const script = `
${searchScript}
const root = document.documentElement, all = (q, in_ = document) => [...in_.querySelectorAll(q)];
const kept = (name, value) => { try { if (value !== undefined) localStorage.setItem(name, value); return localStorage.getItem(name); } catch { return null; } };
const contents = document.getElementById('contents'), filter = document.getElementById('filter');
const wide = matchMedia('(min-width:900px)');
const parts = all('details.part');
const reveal = () => {
  const place = document.getElementById(location.hash.slice(1));
  const part = place?.closest('details.part') ?? place?.querySelector('details.part');
  if (!place || part?.open) return;
  if (part) part.open = true;
  place.scrollIntoView();
};
const fold = () => { for (const part of [contents, ...parts]) part.open = wide.matches; reveal(); };
wide.addEventListener('change', fold); addEventListener('hashchange', reveal); fold();
contents.addEventListener('click', (event) => { if (!wide.matches && event.target.closest('a')) contents.open = false; });
const found = document.getElementById('found'), groups = all('details', contents);
let entries;
const read = () => all('details li', contents).map((item) => {
  const id = item.querySelector('a').hash.slice(1), said = all('p, dt code', document.getElementById(id)).map((part) => part.textContent);
  return { id, item, name: item.dataset.find, text: said.join(' ').toLowerCase() };
});
filter.addEventListener('input', () => {
  const asks = filter.value.trim() !== '';
  if (asks) entries ??= read();
  const results = asks ? find(filter.value, entries) : [];
  found.replaceChildren(...results.slice(0, 30).map(({ item }) => item.cloneNode(true)));
  for (const group of groups) group.hidden = asks;
  document.getElementById('nothing').hidden = !asks || results.length > 0;
});
filter.addEventListener('keydown', (event) => { if (event.key === 'Enter') found.querySelector('a')?.click(); });
addEventListener('keydown', (event) => {
  if (event.key === '/' && !/INPUT/.test(event.target.tagName)) { event.preventDefault(); contents.open = true; filter.focus(); }
});
const choose = (language) => {
  root.dataset.language = language;
  for (const button of all('button[data-language]')) button.setAttribute('aria-pressed', String(button.dataset.language === language));
};
const buttons = all('button[data-language]'), stored = kept('language');
choose(buttons.some((button) => button.dataset.language === stored) ? stored : 'curl');
addEventListener('click', (event) => {
  const more = event.target.closest('button.more');
  if (more) { more.previousElementSibling.classList.add('whole'); more.remove(); }
  const button = event.target.closest('button[data-language]');
  if (!button) return;
  const before = button.getBoundingClientRect().top;
  choose(button.dataset.language); kept('language', button.dataset.language);
  scrollBy(0, button.getBoundingClientRect().top - before);
});
const property = document.getElementById('property'), places = all('var'), first = places.map((place) => place.textContent);
const fill = () => places.forEach((place, at) => { place.textContent = /^\\d+$/.test(property.value) ? property.value : first[at]; });
property.value = kept('property') ?? ''; fill();
property.addEventListener('input', () => { fill(); kept('property', property.value); });
`;
