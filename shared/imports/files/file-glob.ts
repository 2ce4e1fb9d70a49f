/**
 * Whether a file name matches a glob: `*` matches any characters, `?` matches one, and every other character matches
 * itself. The time is at most proportional to the product of the lengths, for every pattern: the match backtracks only
 * to the last `*`.
 */
export const globMatches = (glob: string, name: string): boolean => {
  let inGlob = 0;
  let inName = 0;
  let star = -1;
  let starName = 0;
  while (inName < name.length) {
    if (glob[inGlob] === '*') {
      star = inGlob;
      starName = inName;
      inGlob += 1;
    } else if (inGlob < glob.length && (glob[inGlob] === '?' || glob[inGlob] === name[inName])) {
      inGlob += 1;
      inName += 1;
    } else {
      if (star === -1) return false;
      inGlob = star + 1;
      starName += 1;
      inName = starName;
    }
  }
  return /^\**$/.test(glob.slice(inGlob));
};
