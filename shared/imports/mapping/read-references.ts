/**
 * References: decodes the character references of HTML, for the transformation `unescape_html`. The module loads their
 * names, so it is itself imported only where a definition uses the transformation or a file has such references.
 */

// Bundles do not hold the names (37 KB): see `latePackages` in `lib/constructs/bundle.ts`.
const { decodeHTMLStrict } = await import('entities/decode');

/**
 * Decodes named, decimal and hexadecimal references once, as the HTML standard says. References that have no name of the
 * standard or no semicolon stay as they are: `AT&T` and `?a=1&copy=2` are none.
 */
export const decodeReferences = (text: string): string => decodeHTMLStrict(text);
