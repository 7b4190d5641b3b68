import { expect, it } from 'vitest';
import { matchedBuilds } from './builds';

it('says how much of each build was matched, and how', () => {
  const build = [
    { file: '/srv/old/server (0123abcd)', n_functions: 12, n_matched: 9 },
    { file: 'new', n_functions: 10, n_matched: 9 },
  ];
  const how = { n_by_name: 3, n_by_form: 4, n_by_last_part: 2, n_by_place: 1, n_folded_calls: 0 };
  const said = 'Matched builds: 9 of 12 functions of server (0123abcd), 9 of 10 functions of new';
  expect(matchedBuilds({ build, ...how })).toBe(`${said} (3 by name, 4 by normal form, 2 by last part, 1 by caller)`);
  expect(matchedBuilds({ build, ...how, n_folded_calls: 1 })).toMatch(/; 1 inlined call that a build lacks is part of its caller$/);
  expect(matchedBuilds({ build, ...how, n_folded_calls: 7 })).toMatch(/; 7 inlined calls that a build lacks are part of their callers$/);
});
