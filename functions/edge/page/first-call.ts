/** First call: a program in each language that a reader can paste, from the token to the first person. */
import { MARK } from './example-request.ts';
import { sampleTabs } from './operation.ts';
import { html } from './samples.ts';

/** The property, in whose place the page puts that of the reader. */
const PROPERTY = `${MARK}1001${MARK}`;

const curl = (base: string): string =>
  [
    String.raw`ANSWER=$(curl -s ${base}/oauth/token -H 'Content-Type: application/json' -d '{
  "grant_type": "password", "client_id": "…", "username": "…", "password": "…"}')
export TOKEN=$(echo "$ANSWER" | sed -n 's/.*"access_token": *"\([^"]*\)".*/\1/p')
[ "$TOKEN" ] || echo "$ANSWER"`,
    String.raw`curl ${base}/v1/${PROPERTY}/profiles \
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
  -d '{"email": "ada@example.org", "first_name": "Ada"}'`,
    String.raw`curl '${base}/v1/${PROPERTY}/profile?email=ada@example.org' \
  -H "Authorization: Bearer $TOKEN"`,
  ].join('\n\n');

const typescript = (base: string): string => `import { Tidemark } from 'tidemark';

const tidemark = await Tidemark.signIn({
  baseUrl: '${base}',
  clientId: '…',
  username: '…',
  password: '…',
  propertyId: ${PROPERTY},
});
await tidemark.createProfile({ body: { email: 'ada@example.org', first_name: 'Ada' } });
console.log(await tidemark.getProfile({ query: { email: 'ada@example.org' } }));`;

const javascript = (base: string): string => `const send = async (path, headers, body) => {
  const method = body ? 'POST' : 'GET';
  const type = { 'Content-Type': 'application/json' };
  const options = { method, headers: { ...type, ...headers }, body: body && JSON.stringify(body) };
  const answer = await fetch('${base}' + path, options);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};
const user = { grant_type: 'password', client_id: '…', username: '…', password: '…' };
const { access_token } = await send('/oauth/token', {}, user);
const headers = { Authorization: \`Bearer \${access_token}\` };
await send('/v1/${PROPERTY}/profiles', headers, { email: 'ada@example.org', first_name: 'Ada' });
console.log(await send('/v1/${PROPERTY}/profile?email=ada@example.org', headers));`;

const python = (base: string): string => `from tidemark import Tidemark

client = Tidemark.sign_in(
    "${base}", username="…", password="…", client_id="…", property_id=${PROPERTY}
)
client.create_profile({"email": "ada@example.org", "first_name": "Ada"})
print(client.get_profile(email="ada@example.org"))`;

/** Where a reader finds the credentials of a service on the own machine. */
const credentials = (base: string): string =>
  /^http:\/\/(?:127\.0\.0\.1|localhost)\b/.test(base)
    ? ' On this machine, <code>.local/endpoints.json</code> in the repository has the client, the user and the password.'
    : '';

/** The section at the top of the page. */
export const firstCall = (base: string): string =>
  `<section id="first-call"><h3><a href="#first-call">Your first call</a></h3>
<p>Sign in, store a person, and look the person up.${credentials(base)} <a href="#getCaller">Show who you are</a> lists your properties.
In the repository, <code>docs/first-call.md</code> installs a client, and <code>docs/recipes.md</code> has whole programs.</p>
${sampleTabs({
  curl: html(curl(base)),
  tidemark: html(typescript(base)),
  javascript: html(javascript(base)),
  python: html(python(base)),
})}</section>`;
