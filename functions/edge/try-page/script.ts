/**
 * Script of the page that tries operations. The requests go to the host that serves the page, by whatever name the reader
 * calls it, because the policy of the page allows no other. The token stays in memory; no address has it. The reference
 * page keeps the reader's property under `property`. Errors and shapes of answers stay on the reference page: Swagger UI
 * takes half as long again with them. One button works at a time, whichever it is: of two tokens the page would forget one,
 * which then lived on for its hours.
 */
export const script = `
const byId = (id) => document.getElementById(id);
const dark = matchMedia('(prefers-color-scheme:dark)');
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', colour); colour();
let ui, token, busy = false, properties = [];
const stored = () => { try { return localStorage.getItem('property') ?? ''; } catch { return ''; } };
const property = () => properties.length === 0 || properties.some(({ id }) => String(id) === stored()) ? stored() : String(properties[0].id);
const shorten = ({ responses }) => {
  for (const [status, response] of Object.entries(responses)) {
    if (status >= '400') delete responses[status];
    delete response.headers;
    for (const type in response.content) response.content[type] = {};
  }
};
const show = async () => {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error('status ' + answer.status);
  const spec = await answer.json();
  spec.servers = [{ url: location.origin }];
  delete spec.info.description; delete spec.webhooks;
  for (const path of Object.values(spec.paths)) Object.values(path).forEach(shorten);
  if (/^\\d+$/.test(property())) spec.components.parameters.property_id.example = Number(property());
  ui = SwaggerUIBundle({ spec, dom_id: '#swagger-ui', deepLinking: true, docExpansion: 'none', defaultModelsExpandDepth: -1,
    tryItOutEnabled: true, persistAuthorization: false, validatorUrl: null, onComplete: authorize });
};
const authorize = () => { if (token) ui?.preauthorizeApiKey('token', token); };
const post = async (path, body) => {
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error_description ?? told.message ?? 'The service answered ' + answer.status + '.');
  return told;
};
const whoIs = async () => {
  const answer = await fetch('/v1/me', { headers: { authorization: 'Bearer ' + token } });
  return answer.ok ? answer.json() : undefined;
};
const shown = (name) => {
  byId('sign-in').hidden = Boolean(token); byId('signed-in').hidden = !token;
  byId('who').textContent = name ?? '';
};
const signIn = async ({ client_id, username, password }) => {
  ({ access_token: token } = await post('/oauth/token', { grant_type: 'password', client_id, username, password, expires_in: 28800 }));
  shown(username);
  const me = await whoIs();
  if (me) { properties = me.properties; shown(username + ', ' + me.account.name); }
  await show();
};
const signOut = async () => {
  await post('/oauth/revoke', { token });
  ui?.authActions.logout(['token']);
  token = undefined; properties = []; shown();
};
const act = async (button, work) => {
  if (busy) return;
  busy = true; byId('says').textContent = ''; button.disabled = true;
  try { await work(); } catch (error) { byId('says').textContent = error.message; } finally { busy = button.disabled = false; }
};
const offer = (account) => {
  const button = document.createElement('button');
  button.type = 'button'; button.textContent = account.account;
  button.addEventListener('click', () => act(button, () => signIn(account)));
  byId('demo').append(' ', button); byId('demo').hidden = false;
};
const start = () => {
  const form = document.querySelector('#sign-in form'), out = document.querySelector('#signed-in button');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    act(form.querySelector('button'), async () => { await signIn(Object.fromEntries(new FormData(form))); form.reset(); });
  });
  out.addEventListener('click', () => act(out, signOut));
  JSON.parse(document.querySelector('meta[name=demo-accounts]')?.content ?? '[]').forEach(offer);
};
addEventListener('DOMContentLoaded', () => {
  start();
  show().catch((error) => { byId('swagger-ui').textContent = 'The API document did not load: ' + error.message; });
});
`;
