<?php

declare(strict_types=1);

require __DIR__ . '/src/Router.php';
require __DIR__ . '/src/HttpError.php';

use Web\HttpError;
use Web\Router;

$articles = [7 => 'Spring flowers', 12 => 'Autumn leaves'];

$router = new Router();
$router->get('/', fn () => 'welcome');
$router->group('/articles', function (Router $inner) use (&$articles) {
    $inner->get('', fn () => implode(', ', $articles));
    $inner->get('/{id:int}', function (int $id) use (&$articles) {
        return $articles[$id] ?? throw new HttpError(404, "article $id");
    });
    $inner->add('DELETE', '/{id:int}', function (int $id) use (&$articles) {
        unset($articles[$id]);
        return "deleted $id";
    });
});
$router->get('/tags/{tag}/page/{page:int}', fn (string $tag, int $page) => "$tag, page $page");

$requests = [
    'GET /', 'GET /articles', 'GET /articles/12', 'GET /articles/13', 'GET /articles/twelve',
    'DELETE /articles/7', 'GET /articles/', 'POST /articles', 'GET /tags/red-hot/page/3',
];
foreach ($requests as $request) {
    [$method, $path] = explode(' ', $request);
    echo $request, ' -> ', $router->handle($method, $path), "\n";
}
