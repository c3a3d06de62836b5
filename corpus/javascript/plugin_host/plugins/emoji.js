'use strict';

const FACES = { ':)': '☺', ':(': '☹' };

module.exports = {
  name: 'emoji',
  needs: ['words'],
  transform: (text) => text.replace(/:[()]/g, (face) => FACES[face]),
  priority: () => 1,
};
