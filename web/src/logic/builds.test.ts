import { expect, it } from 'vitest';
import { matchedBuilds } from './builds';

it('reports how much of each build was matched, and how', () => {
  const build = [
    { file: '/srv/old/server (0123abcd)', n_functions: 12, n_matched: 9 },
    { file: 'new', n_functions: 10, n_matched: 9 },
  ];
  const how = { n_by_name: 3, n_by_form: 4, n_by_last_part: 2, n_by_place: 1, n_folded_calls: 0 };
  const text = 'Functions in both builds: 9 of 12 in server (0123abcd), 9 of 10 in new';
  expect(matchedBuilds({ build, ...how })).toBe(`${text} (3 with the same name, 7 spelled differently)`);
  expect(matchedBuilds({ build, ...how, n_by_form: 0, n_by_last_part: 0, n_by_place: 0 })).toBe(text);
  expect(matchedBuilds({ build, ...how, n_folded_calls: 1 })).toMatch(
    /; 1 inlined call that has a name in one build only is counted for its caller$/,
  );
  expect(matchedBuilds({ build, ...how, n_folded_calls: 7 })).toMatch(
    /; 7 inlined calls that have a name in one build only are counted for their callers$/,
  );
});
