/** Files of the page that tries operations: Swagger UI, a renderer of OpenAPI documents (Apache-2.0). */
import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' };

/** The version of Swagger UI. The names of its files have it, so that browsers may keep them for good. */
export const { version } = swaggerUi;

/** The names of the files below `/docs/try/`. */
export const names = {
  script: `swagger-ui-${version}.js`,
  style: `swagger-ui-${version}.css`,
  licences: 'licences.txt',
} as const;

/** The files of the npm package that each file holds. */
export const files: Readonly<Record<string, readonly string[]>> = {
  [names.script]: ['swagger-ui-dist/swagger-ui-bundle.js'],
  [names.style]: ['swagger-ui-dist/swagger-ui.css'],
  [names.licences]: ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'].map(
    (file) => `swagger-ui-dist/${file}`,
  ),
};
