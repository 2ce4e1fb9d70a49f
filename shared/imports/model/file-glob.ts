/**
 * Whether a file name matches a glob: `*` stands for any characters, `?` for one, everything else for itself. Takes time
 * in proportion to the product of the lengths at worst, whatever the pattern: no backtracking beyond the last `*`.
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
