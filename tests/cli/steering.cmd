# what the model steering lacks is told at the line of the population: a leader, a circle of leaders, a path, a ray, a force
scene() { # populations
  cat >scene.json <<SCENE
{
  "version": 1,
  "name": "scene",
  "ground": {"outline": [{"rectangle": [[0, 0], [20, 20]]}]},
  "populations": [
    $1
  ],
  "duration": 1
}
SCENE
  "$throng" check scene.json; echo "code $?"
}
one() { scene "{\"name\": \"a\", \"model\": \"steering\", \"positions\": [[5, 5]], \"params\": {$1}}"; }
one '"leader": true'
one '"along": true'
one '"path": true'
one '"target_by": "link"'
one '"obstacle_front_ray": 0'
one '"people_force": 1e99'
one '"people_distanc": 2'
one '"people_character": "shy"'
scene '{"name": "a", "model": "steering", "positions": [[5, 5]], "params": {"leader": true}, "links": {"leader": "b"}},
    {"name": "b", "model": "steering", "positions": [[9, 5]], "params": {"leader": true}, "links": {"leader": "a"}}'
