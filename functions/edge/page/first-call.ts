/** First call: three commands that a reader can paste, from the token to the first person. */
import { escapeMarkup } from '../../../shared/runtime/markup.ts';

/** The property stands in a `<var>`, in whose place the page puts that of the reader. */
const lines = (base: string): readonly string[] => [
  `export TOKEN=$(curl -s ${base}/oauth/token -H 'Content-Type: application/json' -d '{"grant_type": "password", "client_id": "…", "username": "…", "password": "…"}' | cut -d '"' -f 4)`,
  `curl ${base}/v1/PROPERTY/profiles -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"email": "ada@example.org", "first_name": "Ada"}'`,
  `curl '${base}/v1/PROPERTY/profile?email=ada@example.org' -H "Authorization: Bearer $TOKEN"`,
];

/** The section at the top of the page. */
export const firstCall = (base: string): string =>
  `<section id="first-call"><h3><a href="#first-call">Your first call</a></h3>
<p>Sign in, store a person, and look the person up. <a href="#getCaller">Show who you are</a> lists your properties.
In the repository, <code>docs/first-call.md</code> does the same with a client, and <code>docs/recipes.md</code> has whole programs.</p>
<pre tabindex="0">${lines(base)
    .map((line) => escapeMarkup(line).replace('PROPERTY', '<var>1001</var>'))
    .join('\n\n')}</pre></section>`;
